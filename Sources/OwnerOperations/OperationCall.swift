package import OwnerAPI
import SecretMemory
package import Signer
import Vault

/// One call of an operation, beside its typed request: how the owner asked, and the credential that came along.
package struct OperationCall: Sendable {
  /// The call as it arrived. Handlers read their typed request instead; this is for what every operation may bring.
  let request: ControlRequest
  /// How the owner asked.
  let channel: OwnerChannel

  package init(_ request: ControlRequest, via channel: OwnerChannel) { (self.request, self.channel) = (request, channel) }

  /// Whether a credential came that could prove that the owner is present.
  var hasProof: Bool { ShownCredential.isIn(request.parameters, secrets: request.secrets) }

  /// The credential of the call.
  /// - Throws: when there is none, or more than one. Nothing was tried then.
  func credential() throws(OperationError) -> any SlotOpener {
    try ShownCredential(request.parameters, secrets: request.secrets).opener
  }

  /// The credential of the call, where it must prove that this is the owner.
  ///
  /// The keyring proves nothing: every program of the owner's may read it. A program that added a slot of its own would be given every
  /// class at the owner's next unlocking.
  func proof() throws(OperationError) -> any SlotOpener {
    let opener = try credential()
    guard opener.type != .keyring else { throw .keyringIsNoProof }
    return opener
  }

  /// All credentials of the call, for operations that take several at once.
  /// - Throws: also when the keyring is among them.
  func proofs() throws(OperationError) -> [any SlotOpener] {
    let openers = try ShownCredential.all(request.parameters, secrets: request.secrets).map(\.opener)
    guard openers.allSatisfy({ $0.type != .keyring }) else { throw .keyringIsNoProof }
    return openers
  }
}
