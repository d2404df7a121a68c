import Curve
import Encodings
import Identities
import JSON
import Nostr
import RemoteSigning
import Signer

/// Takes the requests of callers on this machine, whichever way they came: the apps' socket, a link, the session bus.
package struct AppDesk: Sendable {
  let callers: Callers
  let answers: LocalAnswers
  let service: SigningService

  /// Passes a request on. It blocks on the disk, so call it on a worker.
  /// - Parameters:
  ///   - id: 32 fresh random bytes, for `withdraw`.
  ///   - answered: gets the result or the error, once, from any thread; not after `withdraw`.
  /// - Returns: whether the owner has let the caller in.
  /// - Throws: the error that is the answer. `answered` is not called then.
  func ask(
    _ request: AppRequest, _ id: Bytes32, by caller: LocalCaller, answered: @escaping @Sendable (AppOutcome) -> Void
  ) throws(AppFault) -> Bool {
    let identity = callers.identity(of: request)
    if let identity, callers.isLetIn(caller, for: identity.publicKey) {
      return try pass(request, request.asked(id), at: identity, by: caller, answered)
    }
    // From here on nothing that the caller sees may depend on whether the vault has the identity that it named.
    if request.method == .logout {
      answered(.success(.string("ack")))  // nothing is to be taken back
      return false
    }
    try callers.mayAskFirst(caller, request)
    defer { callers.hasAskedFirst(caller) }
    if let identity, !callers.isRetired(identity) || !request.namesIdentity {
      return try pass(request, request.asked(id), at: identity, by: caller, answered)
    }
    let instead = try callers.instead(of: caller)
    return try pass(request, request.askedInVain(id), at: instead, by: caller) { outcome in
      answered(outcome.flatMap { _ in .failure(.noSuchIdentity) })
    }
  }

  /// - Returns: whether the owner has let the caller in for the identity.
  private func pass(
    _ request: AppRequest, _ local: LocalRequest, at identity: Identity, by caller: LocalCaller,
    _ answered: @escaping @Sendable (AppOutcome) -> Void
  ) throws(AppFault) -> Bool {
    let pairing = try callers.pairing(of: caller, for: identity.publicKey)
    let method = request.method
    answers.expect(local.id) { [callers] answer in
      answered(AppAnswer.outcome(answer, of: method, identities: Self.list(callers.identities(of: caller))))
    }
    guard service.take(local, at: pairing.remoteSigner) else {
      _ = answers.forget(local.id)
      throw .tooManyRequests
    }
    return !pairing.grant.isFirstUse
  }

  /// Ends requests whose caller does not wait any more. It blocks on the disk.
  func withdraw(_ ids: Set<Bytes32>) {
    let waiting = ids.filter { answers.forget($0) }
    if !waiting.isEmpty { service.withdraw(waiting) }
  }

  private static func list(_ identities: [Identity]) -> JSONValue {
    .array(
      identities.map { identity in
        .object([
          .init("name", .string(identity.name)), .init("pubkey", .string(identity.publicKey.hex)),
          .init("npub", .string(identity.publicKey.npub)),
        ])
      })
  }
}
