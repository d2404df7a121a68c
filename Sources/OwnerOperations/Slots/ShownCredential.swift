import Encodings
package import JSON
package import OwnerAPI
import OwnerWords
package import SecretMemory
import Unlocking
package import Vault

/// What the owner shows to open the vault, or to confirm an operation: a credential for any one slot.
///
/// In an operation it is one of: the secret `passphrase`; the secret `pin` with the parameter `token` (a `pkcs11:` URI, or true for the
/// vault's token) and perhaps `module`; the parameter `keyring`; the secret `prf` with the parameter `credential` (base64url); the
/// secret `shares` (one a line), with `recovery_code` if the kit has one. The secret `login` answers the PAM check of a token or keyring.
package struct ShownCredential {
  package let opener: any SlotOpener

  /// The error of a call without one.
  package static let nothingGiven = OperationError.usage(
    "Nothing that opens the vault was given.",
    hint: "Give the passphrase on the terminal or with --passphrase-file FILE. Or use --token, --keyring or --shares-file FILE.")

  /// Takes an opener that was already made.
  init(_ opener: any SlotOpener) { self.opener = opener }

  /// A passphrase as typed.
  package init(passphrase: SecretBox) { opener = PassphraseOpener(passphrase) }

  /// Reads it from an operation.
  /// - Throws: if there is none or more than one, and for values that cannot be read. Nothing is opened yet.
  package init(_ parameters: JSONValue, secrets: [String: SecretBox]) throws(OperationError) {
    var found = Kind.allCases.filter { $0.isIn(parameters, secrets) }
    // A recovery with a new passphrase, or an import with a 25th word, has other secrets as well.
    if found.count > 1 { found.removeAll { $0 == .passphrase } }
    guard let kind = found.first else {
      throw Self.nothingGiven
    }
    guard found.count == 1 else { throw .usage("Give one way to open the vault, not several.") }
    opener = try kind.opener(parameters, secrets)
  }

  /// The same, of a typed request.
  package init(_ credential: Credential) throws(OperationError) {
    // Every operation that takes a credential names its members alike.
    let members = SlotRotate.call(credential)
    try self.init(members.parameters, secrets: members.secrets)
  }

  /// All credentials that are shown at once, for operations that take several. The passphrase comes last because it takes
  /// longest.
  /// - Throws: if there is none, and for values that cannot be read. Nothing is opened yet.
  static func all(_ parameters: JSONValue, secrets: [String: SecretBox]) throws(OperationError) -> [ShownCredential] {
    var found: [ShownCredential] = []
    for kind in Kind.allCases.reversed() where kind.isIn(parameters, secrets) {
      found.append(ShownCredential(try kind.opener(parameters, secrets)))
    }
    guard !found.isEmpty else { return [try ShownCredential(parameters, secrets: secrets)] }
    return found
  }

  /// The first of all shown credentials that opens the keys, for a vault that is opened by one.
  package static func first(_ parameters: JSONValue, secrets: [String: SecretBox]) throws(OperationError) -> ShownCredential {
    let all = try all(parameters, secrets: secrets)
    return all.first { $0.type != .keyring } ?? all[0]  // never empty
  }

  /// Whether an operation has any.
  package static func isIn(_ parameters: JSONValue, secrets: [String: SecretBox]) -> Bool {
    Kind.allCases.contains { $0.isIn(parameters, secrets) }
  }

  /// Its slot type, for the log.
  package var type: SlotType { opener.type }
}

extension ShownCredential {
  fileprivate enum Kind: CaseIterable {
    case passphrase, token, keyring, passkey, shares

    func isIn(_ parameters: JSONValue, _ secrets: [String: SecretBox]) -> Bool {
      switch self {
      case .passphrase: secrets["passphrase"] != nil
      case .token: secrets["pin"] != nil
      case .keyring: parameters["keyring"]?.bool == true
      case .passkey: secrets["prf"] != nil
      case .shares: secrets["shares"] != nil
      }
    }

    func opener(_ parameters: JSONValue, _ secrets: [String: SecretBox]) throws(OperationError) -> any SlotOpener {
      switch self {
      case .passphrase:
        guard let passphrase = secrets["passphrase"] else { throw .usage("The vault's passphrase is missing.") }
        return PassphraseOpener(passphrase)
      case .token: return try ShownCredential.token(parameters, secrets)
      case .keyring: return KeyringOpener(pamCheck: CommandUser.pamCheck(secrets))
      case .passkey: return try ShownCredential.passkey(parameters, secrets)
      case .shares: return try ShownCredential.recovery(secrets)
      }
    }
  }

  private static func token(
    _ parameters: JSONValue, _ secrets: [String: SecretBox]
  ) throws(OperationError) -> TokenOpener {
    TokenOpener(
      token: try uri(parameters), module: parameters["module"]?.string, pin: secrets["pin"],
      pamCheck: CommandUser.pamCheck(secrets))
  }

  /// The named token; nil for whichever the vault has.
  static func uri(_ parameters: JSONValue) throws(OperationError) -> TokenURI? {
    guard let text = parameters["token"]?.string, !text.isEmpty else { return nil }
    do { return try TokenURI(text) } catch { throw OperationError(error, by: .token) }
  }

  private static func passkey(
    _ parameters: JSONValue, _ secrets: [String: SecretBox]
  ) throws(OperationError) -> PasskeyOpener {
    guard let text = parameters["credential"]?.string, let credential = Base64URL.decode(text), let output = secrets["prf"],
      output.count == 32
    else { throw .usage("A passkey needs the id of its credential and 32 bytes of its PRF.") }
    return PasskeyOpener(credential: credential, output: output)
  }
}
