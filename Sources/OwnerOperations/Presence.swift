import Curve
import Encodings
import Identities
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer
import Vault

/// Keys that need presence: the owner shows a credential, and they are unwrapped for one use.
extension Operations {
  /// The keys of the identities whose class needs presence, opened by one credential. None if no identity needs it.
  /// - Throws: if there is no credential, or it opens nothing. Nothing was done then.
  func keysForOneUse(
    _ call: OperationCall, of wanted: [PublicKey], for use: KeyPurpose = .approval
  ) throws -> [PublicKey: KeyPair] {
    let needed = Set(wanted).filter { home.sessionLock.keeping(of: $0) == .perUse }
    guard let first = needed.min() else { return [:] }
    guard call.hasProof else {
      throw OperationError.needsPresence(name(ofIdentity: first), home.sessionLock.protection(of: first), use)
    }
    guard !home.sessionLock.isShut else { throw OperationError.unlockFirst }
    return try home.sessionLock.keys(of: needed.sorted(), by: try call.proof())
  }

  /// The key of one identity for a command of the owner, opened by a credential if its class needs presence.
  func keyForOneUse(_ call: OperationCall, of identity: PublicKey) throws -> KeyPair {
    if let key = try keysForOneUse(call, of: [identity], for: .command)[identity] { return key }
    return try home.identities.keyPair(for: identity)
  }
}

/// The reason why a key is unwrapped.
enum KeyPurpose {
  /// Waiting requests. Without a credential they stay waiting.
  case approval
  /// Something the owner asks for.
  case command
}

extension SessionLock {
  /// Unwraps keys for one use. A credential that was wrong, or came too soon after another, is recorded.
  func keys(of identities: [PublicKey], by proof: some SlotOpener) throws -> [PublicKey: KeyPair] {
    let presence = try present(proof)
    var pairs: [PublicKey: KeyPair] = [:]
    for identity in identities {
      let secret = try vault.secret(kind: .identityKey, id: identity.bytes.array, by: presence)
      let pair = try KeyPair(SecretKey(secret))
      guard pair.publicKey == identity else { throw VaultError.corrupt(what: RecordKind.identityKey.name) }
      pairs[identity] = pair
    }
    return pairs
  }
}

extension OperationError {
  /// The error for a use without the credential that it needs.
  static func needsPresence(_ identity: String, _ protection: ProtectionClass, _ use: KeyPurpose) -> OperationError {
    let proof =
      switch protection.base {
      case .devicePasscode: "a passphrase, or a token's PIN"
      case .biometricOrPasscode: "a passphrase, a token's PIN or a passkey"
      default: "a passkey"
      }
    let needed = "The key of “\(identity)” asks for your presence at each use. Nothing was done"
    switch use {
    case .approval:
      return OperationError(
        .denied, needed + ", and the request still waits.",
        hint: "Give \(proof): holdfast request approve ID --passphrase-file FILE, or in the console.")
    case .command:
      return OperationError(
        .denied, needed + ".", hint: "Give \(proof): the same command with --passphrase-file FILE or --token.")
    }
  }
}
