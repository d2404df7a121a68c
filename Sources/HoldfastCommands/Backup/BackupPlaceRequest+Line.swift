import CommandLine
import CredentialOptions
import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import TerminalUI

/// The place for backups that a command line names, and what signs in there.
extension BackupPlaceRequest {
  /// The place alone. Its paths are from the root: the daemon has another working folder.
  init(_ line: Invocation) {
    self.init()
    to = (line.value("to") ?? line.value("from")).map { $0.contains("://") ? $0 : absolute($0) }
    (endpoint, region) = (line.value("endpoint"), line.value("region"))
    certificates = line.value("ca").map(absolute)
  }

  /// Refuses what can be refused without a secret.
  func checkPlace(_ line: Invocation) throws(CommandError) {
    try checkReadable(line.value("ca"))
    do throws(OperationError) { try checkPlace() } catch { throw CommandError(error) }
  }

  /// Reads what signs in to a server: from the file, or asked for when somebody sits there.
  mutating func readLogin(_ line: Invocation) throws(CommandError) {
    if let file = line.value("credentials-file") {
      take(partsOf: try secret("The login") { () throws(SecretInputError) in try SecretInput.read(file: file) })
      return
    }
    guard needsLogin, Terminal.isInput else { return }
    if !namesUser {
      user = try secret("The user") { () throws(SecretInputError) in
        try SilentPrompt().ask("User or access key id: ")
      }
    }
    password = try secret("The password") { () throws(SecretInputError) in
      try SilentPrompt().ask("Password or secret access key: ")
    }
  }

  /// The same, unless the running signer brings backups to this place: it has what signs in there.
  mutating func readLoginUnlessPlanned(_ line: Invocation) throws(CommandError) {
    if line.value("credentials-file") == nil, let from = line.value("from"),
      let plan = try askDaemonWhole(BackupPlanShow.call(Nothing()), home(line)),
      try BackupPlanShow.answer(plan).plan?.to == from
    {
      return
    }
    try readLogin(line)
  }

  /// Whether a place needs a credential.
  private var needsLogin: Bool {
    to.map { $0.hasPrefix("https://") || $0.hasPrefix("s3://") || $0.hasPrefix("http://") } ?? false
  }

  /// Whether its address contains the user: `https://user@host/…`.
  private var namesUser: Bool {
    guard let to, let mark = to.firstRange(of: "://") else { return false }
    return to[mark.upperBound...].prefix { $0 != "/" }.contains("@")
  }

  /// Two lines are user and password. One line is the password.
  private mutating func take(partsOf text: SecretBox) {
    (user, password) = text.withBytes { bytes -> (SecretBox?, SecretBox?) in
      guard let end = bytes.firstIndex(of: 0x0A) else { return (nil, Self.line(bytes[...])) }
      return (Self.line(bytes[..<end]), Self.line(bytes[(end + 1)...]))
    }
  }

  /// - Returns: nil for an empty line.
  private static func line(_ part: Slice<UnsafeRawBufferPointer>) -> SecretBox? {
    let line = UnsafeRawBufferPointer(rebasing: part.last == 0x0D ? part.dropLast() : part)
    guard !line.isEmpty, let secret = try? SecretBytes(copying: line) else { return nil }
    return SecretBox(secret)
  }
}
