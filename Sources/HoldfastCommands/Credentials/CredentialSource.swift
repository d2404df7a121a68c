import CommandLine
import OwnerAPI
import SecretMemory
import TerminalUI

/// What the owner shows to open the vault, and where it is read from.
enum CredentialSource: Sendable, Equatable {
  case passphrase(PassphraseSource)
  /// A PKCS#11 token: which, its driver, and the file with its PIN; nil for the vault's own, the known one and the terminal.
  case token(uri: String?, module: String?, pinFile: String?)
  case keyring
  /// A file with shares of the recovery kit, one a line, and one with its recovery code; nil for a kit without one.
  case shares(file: String, codeFile: String?)

  /// Commands that take shares in another way, too, and their code with them.
  private static let takesShares = ["recovery test", "recovery restore", "backup restore", "backup verify"]
  private static let options = ["passphrase-file", "passphrase-fd", "token", "keyring", "shares-file"]

  /// Whether an option says what opens the vault.
  static func isNamed(in invocation: Invocation) -> Bool { options.contains { invocation.has($0) } }

  /// - Parameters:
  ///   - credentials: the value of `$CREDENTIALS_DIRECTORY`, nil when this is not a service with credentials.
  ///   - exists: whether there is a file at a path.
  /// - Throws: when two ways are named at once.
  init(_ invocation: Invocation, credentials: String?, exists: (String) -> Bool) throws(UsageError) {
    let ways = Self.options.filter { invocation.has($0) }
    if ways.count > 1 { throw .exclude(option: ways[0], other: ways[1]) }
    try Self.checkCompanions(of: invocation)
    try self.init(way: ways.first, invocation, credentials: credentials, exists: exists)
  }

  /// Options that say more of a way are there with it alone.
  private static func checkCompanions(of invocation: Invocation) throws(UsageError) {
    // A new token's driver is named the same way.
    let alone = invocation.name == "slot add" ? ["pin-file"] : ["pin-file", "module"]
    for option in alone where invocation.has(option) && !invocation.has("token") {
      throw .needs(option: option, other: "token")
    }
    if invocation.has("recovery-code-file") && !invocation.has("shares-file") && !takesShares.contains(invocation.name) {
      throw .needs(option: "recovery-code-file", other: "shares-file")
    }
    if invocation.has("login-file") && !invocation.has("token") && !invocation.has("keyring") {
      throw .needs(option: "login-file", other: "keyring")
    }
  }

  private init(
    way: String?, _ invocation: Invocation, credentials: String?, exists: (String) -> Bool
  ) throws(UsageError) {
    switch way {
    case "token":
      self = .token(
        uri: invocation.value("token"), module: invocation.value("module"), pinFile: invocation.value("pin-file"))
    case "keyring": self = .keyring
    case "shares-file":
      self = .shares(
        file: invocation.value("shares-file") ?? "", codeFile: invocation.value("recovery-code-file"))
    default: self = .passphrase(try PassphraseSource(invocation, credentials: credentials, exists: exists))
    }
  }

  /// All that the options name, for a command that takes several at once; what the other initializer gives when they name none.
  /// - Throws: for options that go with none of them.
  static func all(
    _ invocation: Invocation, credentials: String?, exists: (String) -> Bool
  ) throws(UsageError) -> [CredentialSource] {
    let ways = options.filter { invocation.has($0) }
    guard ways.count > 1 else { return [try CredentialSource(invocation, credentials: credentials, exists: exists)] }
    if ways[0] == "passphrase-file", ways[1] == "passphrase-fd" { throw .exclude(option: ways[0], other: ways[1]) }
    try checkCompanions(of: invocation)
    return try ways.map { way throws(UsageError) in
      try CredentialSource(way: way, invocation, credentials: credentials, exists: exists)
    }
  }

  /// What it is, to say what could not be read.
  var name: String {
    switch self {
    case .passphrase: "The passphrase"
    case .token: "The token's PIN"
    case .keyring: "The login password"
    case .shares: "The file of shares"
    }
  }

  /// Reads what there is to read.
  /// - Parameter loginFile: with the login password; nil when there is none.
  func read(into credential: inout Credential, loginFile: String?) throws(SecretInputError) {
    if let loginFile { credential.login = SecretBox(try SecretInput.read(file: loginFile)) }
    switch self {
    case .passphrase(let source): credential.passphrase = SecretBox(try source.read())
    case .token(let uri, let module, let pinFile):
      if let pinFile {
        credential.pin = SecretBox(try SecretInput.read(file: pinFile))
      } else {
        credential.pin = SecretBox(try SilentPrompt().ask("PIN of the token: "))
      }
      (credential.token, credential.module) = (uri, module)
    case .keyring: credential.keyring = true
    case .shares(let file, let codeFile):
      credential.shares = SecretBox(try SecretInput.read(file: file))
      if let codeFile { credential.recoveryCode = SecretBox(try SecretInput.read(file: codeFile)) }
    }
  }
}
