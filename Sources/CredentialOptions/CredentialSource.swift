package import CommandLine
package import OwnerAPI
import SecretMemory
package import TerminalUI

/// The kind of credential that opens the vault, and where it is read from.
package enum CredentialSource: Sendable, Equatable {
  case passphrase(PassphraseSource)
  /// A PKCS#11 token: its URI, its driver, and the file with its PIN. Nil for the token of the vault's slot, the known driver and
  /// the terminal.
  case token(uri: String?, module: String?, pinFile: String?)
  case keyring
  /// Files with shares of the recovery kit, one a line, and one with its recovery code; nil for a kit without one.
  case shares(files: [String], codeFile: String?)

  /// Commands that also take shares in another way, with their recovery code.
  private static let takesShares = ["recovery test", "recovery restore", "backup restore", "backup verify"]
  private static let options = ["passphrase-file", "passphrase-fd", "token", "keyring", "shares-file"]

  /// Whether an option names the kind of credential.
  package static func isNamed(in invocation: Invocation) -> Bool { options.contains { invocation.has($0) } }

  /// - Parameters:
  ///   - credentials: the value of `$CREDENTIALS_DIRECTORY`, nil when this is not a service with credentials.
  ///   - exists: whether there is a file at a path.
  /// - Throws: if two kinds are named at once.
  package init(_ invocation: Invocation, credentials: String?, exists: (String) -> Bool) throws(UsageError) {
    let ways = Self.options.filter { invocation.has($0) }
    if ways.count > 1 { throw .exclude(option: ways[0], other: ways[1]) }
    try Self.checkCompanions(of: invocation)
    try self.init(way: ways.first, invocation, credentials: credentials, exists: exists)
  }

  /// Options that belong to one kind of credential are allowed only with it.
  private static func checkCompanions(of invocation: Invocation) throws(UsageError) {
    // A new token's driver is named by the same option.
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
      self = .shares(files: invocation.values("shares-file"), codeFile: invocation.value("recovery-code-file"))
    default: self = .passphrase(try PassphraseSource(invocation, credentials: credentials, exists: exists))
    }
  }

  /// All that the options name, for a command that takes several at once. If they name none, the same as the other initializer.
  /// - Throws: for options that belong to none of them.
  package static func all(
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

  /// Its name in an error about reading it.
  package var name: String {
    switch self {
    case .passphrase: "The passphrase"
    case .token: "The token's PIN"
    case .keyring: "The login password"
    case .shares: "The list of shares"
    }
  }

  /// The option that names a file with it.
  package var fileOption: String {
    switch self {
    case .passphrase: "passphrase-file"
    case .token: "pin-file"
    case .keyring: "login-file"
    case .shares: "shares-file"
    }
  }

  /// Reads the credential.
  /// - Parameters:
  ///   - loginFile: the file with the login password; nil if there is none.
  ///   - place: what a passphrase opens, for a person who is asked.
  package func read(into credential: inout Credential, loginFile: String?, for place: String) throws(SecretInputError) {
    if let loginFile { credential.login = SecretBox(try SecretInput.read(file: loginFile)) }
    switch self {
    case .passphrase(let source): credential.passphrase = SecretBox(try source.read(for: place))
    case .token(let uri, let module, let pinFile):
      if let pinFile {
        credential.pin = SecretBox(try SecretInput.read(file: pinFile))
      } else {
        credential.pin = SecretBox(try SilentPrompt().ask("PIN of the token: "))
      }
      (credential.token, credential.module) = (uri, module)
    case .keyring: credential.keyring = true
    case .shares(let files, let codeFile):
      credential.shares = try Self.lines(of: files)
      if let codeFile { credential.recoveryCode = SecretBox(try SecretInput.read(file: codeFile)) }
    }
  }

  /// The contents of the files, one after the other, each from a new line on.
  private static func lines(of files: [String]) throws(SecretInputError) -> SecretBox {
    let parts = try files.map { file throws(SecretInputError) in SecretBox(try SecretInput.read(file: file)) }
    do throws(SecretBytesError<Never>) {
      var lines = try SecretBuffer(capacity: max(1, parts.reduce(0) { $0 + $1.count + 1 }))
      for part in parts {
        try lines.append(part)
        try lines.append("\n")
      }
      return try lines.box()
    } catch { throw .outOfMemory }
  }
}
