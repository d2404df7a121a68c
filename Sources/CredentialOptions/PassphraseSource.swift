package import CommandLine
import Encodings
import Platform
package import SecretMemory
package import TerminalUI

/// Where the vault's passphrase comes from. In this order: an option, the systemd credential, the terminal.
package enum PassphraseSource: Sendable, Equatable {
  case file(String)
  case descriptor(Int32)
  case terminal

  /// The credential's name in a systemd unit: `LoadCredential=holdfast-passphrase:…`.
  package static let credentialName = "holdfast-passphrase"

  /// - Parameter credentials: the value of `$CREDENTIALS_DIRECTORY`, nil when this is not a service with credentials.
  /// - Parameter exists: whether there is a file at a path.
  package init(
    _ invocation: Invocation, credentials: String?, exists: (String) -> Bool
  ) throws(UsageError) {
    let file = invocation.value("passphrase-file")
    let descriptor = try invocation.integer("passphrase-fd", in: 0...1_048_576)
    switch (file, descriptor) {
    case (.some, .some): throw .exclude(option: "passphrase-file", other: "passphrase-fd")
    case (let file?, nil): self = .file(file)
    case (nil, let descriptor?): self = .descriptor(Int32(descriptor))
    case (nil, nil):
      let credential = credentials.map { $0 + "/" + Self.credentialName }
      self = if let credential, exists(credential) { .file(credential) } else { .terminal }
    }
  }

  /// Reads the passphrase of an existing vault.
  /// - Parameter place: what it opens, for a person who is asked, such as `the vault at /srv/holdfast`.
  package func read(for place: String = "the vault") throws(SecretInputError) -> SecretBytes {
    switch self {
    case .file(let path):
      warnIfOthersCanRead(path)
      return try SecretInput.read(file: path)
    case .descriptor(let number): return try SecretInput.read(descriptor: number)
    case .terminal: return try Self.typed("Passphrase for \(printable(place, limit: 300)): ")
    }
  }

  /// How often a person may press Enter without a passphrase.
  private static let emptyLines = 3

  private static func typed(_ question: String) throws(SecretInputError) -> SecretBytes {
    let prompt = try SilentPrompt()
    for _ in 1..<emptyLines {
      do throws(SecretInputError) { return try prompt.ask(question) } catch {
        guard error == .empty else { throw error }
        Output.warning("Nothing was typed. To stop, press Ctrl-C.")
      }
    }
    return try prompt.ask(question)
  }
}

/// Warns of a file with a secret that other users can read. What lies in a folder of one's own they cannot.
package func warnIfOthersCanRead(_ path: String) {
  guard permissions(path) & S_IROTH != 0, permissions(FilePath.folder(of: path)) & S_IXOTH != 0 else { return }
  let shown = printable(path, limit: 300)
  Output.warning(
    "Warning: other users of this machine can read \(shown). To keep it to yourself: chmod 600 \(ShellWord.plainOrQuoted(shown))")
}

private func permissions(_ path: String) -> mode_t {
  var about = stat()
  return stat(path, &about) == 0 ? about.st_mode : 0
}

/// Reads a secret. If it cannot be read, throws an error with the command's words.
/// - Parameters:
///   - what: names the secret, as the subject of a sentence.
///   - option: the option that names a file with it, without dashes; nil if there is none.
package func secret(
  _ what: String, option: String? = nil, _ read: () throws(SecretInputError) -> SecretBytes
) throws(CommandError) -> SecretBox {
  do { return SecretBox(try read()) } catch { throw CommandError(error, what: what, option: option) }
}
