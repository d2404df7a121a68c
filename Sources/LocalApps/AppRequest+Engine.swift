import Curve
import Encodings
import RemoteSigning

/// A request of a caller as the engine takes it.
extension AppRequest {
  /// Whether it names an identity in any way.
  var namesIdentity: Bool { identity != nil || author != nil }

  /// The name of the identity is part of the question: what is asked of two identities is not the same, though one of them may be the
  /// default one.
  func asked(_ id: Bytes32) -> LocalRequest { LocalRequest(method.method, question, id: id) }

  /// What the owner is asked in place of a request for an identity that the vault does not have. The caller waits as it would for another
  /// one, so that it does not learn which ones there are.
  func askedInVain(_ id: Bytes32) -> LocalRequest {
    LocalRequest(.getPublicKey, [Array(method.method.rawValue.utf8)] + question + [Array((author?.hex ?? "").utf8)], id: id)
  }

  /// Whether it asks in the same words what waits already.
  func asksTheSame(as waiting: PendingRequest) -> Bool {
    let own = waiting.isInVain ? askedInVain(Bytes32()) : asked(Bytes32())
    return own.method == waiting.method && own.parameters == waiting.parameters
  }

  /// The same for requests that ask the same in the same words, in this process.
  var digest: Int {
    var hasher = Hasher()
    hasher.combine(method.method)
    hasher.combine(question)
    hasher.combine(author)
    return hasher.finalize()
  }

  /// The bytes of what it asks.
  var weight: Int { question.reduce(0) { $0 + $1.count } }

  private var question: [[UInt8]] { parameters + (identity.map { [Array($0.utf8)] } ?? []) }
}
