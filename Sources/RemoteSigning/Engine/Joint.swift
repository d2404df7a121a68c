public import Curve
public import Nostr
import Platform
public import SecretMemory

/// What the members of a group do together for one exchange, because none of them has the key.
public enum JointTask: Sendable {
  /// Sign the event.
  case sign(UnsignedEvent)
  /// Compute the secret between the group's key and the peer's.
  case sharedSecret(peer: PublicKey)
}

/// What came of a joint task.
public enum JointResult: Sendable {
  /// The event, signed. Its signature was checked.
  case signed(Event)
  /// The x coordinate of the shared point, 32 bytes.
  case sharedX(SecretBox)
  /// Too few members did their part in time.
  case missing
}

/// Identities whose key is nowhere whole (`KeyKeeping.inGroup`): their exchanges are decided and recorded like all others, and are then
/// carried out by a group.
extension SigningEngine {
  /// What the group is to do for an exchange. Call it once, and only after the exchange was recorded durably.
  /// - Parameter now: seconds since 1970; the time of an event whose template has none.
  /// - Returns: nil when nothing is to be done by a group: call `perform`, which answers.
  public func jointTask(of exchange: Exchange, now: Int64) -> JointTask? {
    guard case .use(let operation) = exchange.action, let identity = exchange.identity, keeping(of: identity) == .inGroup,
      mayGiveOut(exchange, now: now)
    else { return nil }
    return try? Self.task(operation, of: identity, now: now)
  }

  /// - Returns: nil for what needs no key.
  private static func task(_ operation: Operation, of identity: PublicKey, now: Int64) throws(ParameterError) -> JointTask? {
    switch operation {
    case .identify: return nil
    case .sign(let template): return .sign(try signable(template, by: identity, now: now))
    case .encrypt(let cipher, let peer, let text):
      try check(text, cipher)
      return .sharedSecret(peer: peer)
    case .decrypt(_, let peer, _): return .sharedSecret(peer: peer)
    }
  }

  /// The answers to an exchange whose joint task has ended. If the signer was locked in the meantime, the request waits again; if a rule
  /// changed, the app is refused.
  /// - Parameter now: seconds since 1970; the answers' time.
  public func finish(_ exchange: Exchange, _ task: JointTask, with result: JointResult, now: Int64) -> Outcome {
    guard case .use(let operation) = exchange.action, let identity = exchange.identity, mayGiveOut(exchange, now: now) else {
      return perform(exchange, now: now)
    }
    do throws(ParameterError) {
      switch (operation, task, result) {
      case (.sign, .sign(let unsigned), .signed(let event)) where event.pubkey == identity && event.id == unsigned.id():
        return signed(event, exchange, now: now)
      case (.encrypt(let cipher, _, let text), .sharedSecret, .sharedX(let x)):
        return outcome(exchange, .result(try encrypt(text, cipher, Self.keys(x))), now: now)
      case (.decrypt(let cipher, _, let payload), .sharedSecret, .sharedX(let x)):
        return outcome(exchange, .result(try decrypt(payload, cipher, Self.keys(x))), now: now)
      case (_, _, .missing): throw ParameterError(text: ReplyText.membersMissing)
      default: throw ParameterError(text: ReplyText.failed)
      }
    } catch { return refused(exchange, error, now: now) }
  }

  private static func keys(_ x: SecretBox) -> SharedKeys {
    SharedKeys(nip04: { try Insecure.NIP04.Key(sharedX: x) }, nip44: { try ConversationKey(sharedX: x) })
  }

  /// The answer of a signer that knows of no group: what needs no key, or why nothing is done.
  /// - Returns: nil if the exchange has to wait.
  func withoutGroup(_ operation: Operation, of identity: PublicKey, for exchange: Exchange, now: Int64) -> Outcome? {
    if state.withLock({ $0.isOvertaken(exchange) || $0.isKeyAway(identity) }) { return nil }
    guard stillAllows(exchange, now: now) else { return outcome(exchange, .error(ReplyText.notPermitted), now: now) }
    do throws(ParameterError) {
      guard try Self.task(operation, of: identity, now: now) == nil else { throw ParameterError(text: ReplyText.membersMissing) }
      return outcome(exchange, .result(identity.hex), now: now)
    } catch { return refused(exchange, error, now: now) }
  }
}
