import Platform

/// Where the app and its extension keep what they share. On an iPhone it is a folder in the container of their app group.
///
/// It holds the files `state`, `journal` and `lock`. Only the app makes the folder.
public struct ExtensionFolder: Hashable, Sendable {
  /// Where it is, without a slash at the end.
  public let path: String

  /// - Parameter path: without a slash at the end.
  public init(_ path: String) { self.path = path }

  func path(_ file: ExtensionFile) -> String { path + "/" + file.rawValue }

  /// Makes the folder with mode 0700, unless it is there.
  /// - Throws: `.io(.state, …)`.
  public func make() throws(ExtensionError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .io(.state, code: errno) }
  }

  /// Takes the lock that one process has at a time. It ends with the last reference to it, or with the process.
  ///
  /// iOS ends an app that is suspended while it holds a lock on a file of its group: let go of it before the app goes to the background.
  /// - Parameter milliseconds: how long to wait for another process; at least one attempt of up to 300 ms is made.
  /// - Throws: `.inUse`, `.notThere(.lock)` when there is no folder, `.io(.lock, …)`.
  public func lock(milliseconds: Int) throws(ExtensionError) -> ExtensionLock {
    let end = Clock.monotonicMilliseconds + Int64(max(0, milliseconds))
    while true {
      do throws(ProcessLock.Fault) { return ExtensionLock(try ProcessLock(path(.lock)), of: self) } catch {
        guard case .inUse = error else { throw ExtensionError(error) }
        guard Clock.monotonicMilliseconds < end else { throw .inUse }
      }
    }
  }
}

/// The right to use a folder's files. No other process has it meanwhile.
public final class ExtensionLock: Sendable {
  /// The folder that is locked.
  public let folder: ExtensionFolder
  private let lock: ProcessLock

  init(_ lock: ProcessLock, of folder: ExtensionFolder) { (self.lock, self.folder) = (lock, folder) }
}

extension ExtensionError {
  fileprivate init(_ fault: ProcessLock.Fault) {
    switch fault {
    case .inUse: self = .inUse
    case .notOpened(ENOENT): self = .notThere(.lock)
    case .notOpened(let code), .notLocked(let code): self = .io(.lock, code: code)
    }
  }
}
