package import OwnerAPI
import OwnerWords
package import Signer
import Vault

/// One call of an operation: how the owner made it, and the credential with it. The typed request is separate.
package struct OperationCall: Sendable {
  /// The call as it arrived. Handlers read their typed request instead; this is for members that every operation may have.
  let request: ControlRequest
  /// How the owner made the call.
  let channel: OwnerChannel

  package init(_ request: ControlRequest, via channel: OwnerChannel) { (self.request, self.channel) = (request, channel) }

  /// The browser session that made the call.
  /// - Throws: if no browser did.
  func session() throws(OperationError) -> String {
    guard let session = request.session else { throw .usage("Only a browser that is signed in to the console can do this.") }
    return session
  }

  /// Whether the call has a credential that could prove that the owner is present.
  var hasProof: Bool { ShownCredential.isIn(request.parameters, secrets: request.secrets) }

  /// The credential of the call.
  /// - Throws: if there is none, or more than one. Nothing was tried then.
  func credential() throws(OperationError) -> any SlotOpener {
    try ShownCredential(request.parameters, secrets: request.secrets).opener
  }

  /// The credential of the call, which must prove that this is the owner.
  ///
  /// The keyring proves nothing, because every program of the owner may read it. A program that could add a slot of its own would
  /// get every class key when the owner next unlocks.
  func proof() throws(OperationError) -> any SlotOpener {
    let opener = try credential()
    guard opener.type != .keyring else { throw .keyringIsNoProof }
    return opener
  }

  /// All credentials of the call, for operations that take several at once.
  /// - Throws: also if the keyring is among them.
  func proofs() throws(OperationError) -> [any SlotOpener] {
    let openers = try ShownCredential.all(request.parameters, secrets: request.secrets).map(\.opener)
    guard openers.allSatisfy({ $0.type != .keyring }) else { throw .keyringIsNoProof }
    return openers
  }
}
