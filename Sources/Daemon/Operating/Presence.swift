internal import Curve
internal import RemoteSigning
internal import Vault

/// Keys that are never kept: the owner proves to be there, and they are unwrapped for what was asked.
extension Operations {
  /// The keys of those identities whose class needs presence, by one proof. None where no identity does.
  /// - Throws: in words, when there is no proof, or it opens nothing; nothing was done then.
  func keysForOneUse(_ given: Parameters, of wanted: [PublicKey]) throws(OperationFailure) -> [PublicKey: KeyPair] {
    let needed = Set(wanted).filter { core.gate.keeping(of: $0) == .perUse }
    guard let first = needed.min() else { return [:] }
    throw .needsPresence(name(ofIdentity: first), core.gate.protection(of: first))
  }
}

extension OperationFailure {
  /// An approval without the proof it needs.
  static func needsPresence(_ identity: String, _ protection: ProtectionClass) -> OperationFailure {
    let proof =
      switch protection.base {
      case .devicePasscode: "a passphrase, or a token's PIN"
      case .biometricOrPasscode: "a passphrase, a token's PIN or a passkey"
      default: "a passkey"
      }
    return OperationFailure(
      .denied, "Identity “\(identity)” needs your presence for each use; nothing was done, and the request waits.",
      hint: "Prove it with \(proof): holdfast request approve ID --passphrase-file FILE, or in the console.")
  }
}
