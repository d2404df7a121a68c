import Platform
public import Vault

/// The folder that holds one person's vault: `--home`, else `$HOLDFAST_HOME`, else `$XDG_DATA_HOME/holdfast`, else
/// `~/.local/share/holdfast`.
public struct Home: Sendable, Hashable {
  /// The folder, usually an absolute path.
  public let path: String
  /// The kinds of records that the program knows, to open the vault with.
  public let kinds: RecordKinds
  /// How long a vault that another program has open is waited for, in milliseconds.
  package private(set) var patience: Int64 = 0

  /// - Parameters:
  ///   - path: the value of `--home`.
  ///   - kinds: those that the program knows.
  public init(_ path: String, kinds: RecordKinds) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.kinds = kinds
  }

  /// Whether it is the same folder, however long anybody waits for it.
  public static func == (one: Home, other: Home) -> Bool { one.path == other.path && one.kinds == other.kinds }

  /// Of what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(kinds)
  }

  /// The same, for a program that can wait until another one is done with the vault.
  package func waiting(milliseconds: Int64) -> Home {
    var home = self
    home.patience = milliseconds
    return home
  }

  /// The folder that the environment names.
  public static func standard(kinds: RecordKinds, environment: (String) -> String?) -> Home {
    Home(FilePath.usualHome(environment), kinds: kinds)
  }

  /// The folder that this process's environment names.
  /// - Parameter trial: the folder of a trial, which is never the answer: it is wiped.
  package static func usual(kinds: RecordKinds, besides trial: Home? = nil) -> Home {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let named = standard(kinds: kinds, environment: value)
    guard named == trial else { return named }
    return standard(kinds: kinds) { $0 == "HOLDFAST_HOME" ? nil : value($0) }
  }

  /// Whether this is the folder without `--home` and `HOLDFAST_HOME`. The signer's own `HOLDFAST_HOME` says nothing of the owner's
  /// terminals.
  package var isUsual: Bool {
    self == Home.standard(kinds: kinds) { $0 == "HOLDFAST_HOME" ? nil : getenv($0).map { String(cString: $0) } }
  }

  /// The folder of the audit log.
  public var log: String { path + "/log" }
  /// The control socket.
  public var controlSocket: String { path + "/control.sock" }
  /// The socket for programs on this machine.
  public var appSocket: String { path + "/app.sock" }
}

/// A new folder for a temporary vault.
package enum TemporaryHome {
  private static var base: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
  private static let prefix = "holdfast-trial-"

  /// This user's temporary homes.
  package static func trials(kinds: RecordKinds) -> [Home] {
    FolderNames.all(in: base).filter { $0.hasPrefix(prefix) }.sorted().map { Home(base + "/" + $0, kinds: kinds) }.filter {
      home in
      var about = stat()
      return lstat(home.path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR && about.st_uid == geteuid()
    }
  }

  /// Whether a home is a trial's by its name: nothing that outlasts the trial may name its folder, since anybody can make one of that name.
  package static func isOne(_ home: Home) -> Bool { (home.path.split(separator: "/").last ?? "").hasPrefix(prefix) }

  /// - Returns: nil when the folder for temporary files cannot be written.
  package static func make(kinds: RecordKinds) -> Home? {
    var template = Array((base + "/" + prefix + "XXXXXX").utf8CString)
    return template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
      return Home(String(cString: start), kinds: kinds)
    }
  }

  /// Overwrites and removes every file, then the folder.
  package static func wipe(_ home: Home) { _ = Wiping.wipe(home.path) }
}
