import Curve
import Encodings
import Nostr
import Platform

/// Takes a decrypted request to a decision.
extension SigningEngine {
  func decide(_ arrival: Arrival) -> Intake { decide(arrival, from: state.withLock { $0.standing(of: arrival) }) }

  /// A request of a paired app.
  func decide(_ arrival: Arrival, _ pairing: Pairing) -> Intake {
    guard let method = arrival.request.method else {
      return arrival.exchange(.answer(.error(ReplyText.unsupported(arrival.request.methodName))), pairing: pairing)
    }
    guard let parameters = arrival.request.parameters, parameters.count >= method.requiredParameters else {
      return arrival.exchange(.answer(.error(ReplyText.parameters(of: method))), pairing: pairing)
    }
    if method.isAlwaysAllowed, !pairing.grant.isFirstUse {
      return limited(method, arrival, pairing) ?? answerAtOnce(method, arrival, pairing)
    }
    if arrival.isUnsure { return refuse(arrival, .justStarted, ReplyText.justStarted) }
    return decideUse(method, parameters, arrival, pairing)
  }

  /// The app gets an error, and it is counted. It is not logged: a relay that kept an app's requests could fill the log.
  func staleAnswer(_ arrival: Arrival) -> Intake {
    let offset = arrival.event.createdAt - arrival.now  // both are times since 1970 that the parser bounds
    return refuse(arrival, .stale, ReplyText.clock(off: offset))
  }

  // MARK: requests of a paired app that need no key of the user

  /// - Returns: the refusal of a request that exceeds the owner's limits. A logout never does.
  private func limited(_ method: Method, _ arrival: Arrival, _ pairing: Pairing) -> Intake? {
    guard method != .logout, method != .disconnect,
      let rule = state.withLock({ $0.countKeyless(method, at: arrival.remoteSigner, now: arrival.now) })
    else { return nil }
    return arrival.exchange(.answer(.error(ReplyText.limitUsedUp)), pairing: pairing, decision: Decision(.deny, by: rule))
  }

  private func answerAtOnce(_ method: Method, _ arrival: Arrival, _ pairing: Pairing) -> Intake {
    let decision = Decision(.allow, by: .alwaysAllowed)
    let action: Exchange.Action =
      switch method {
      case .connect: .answer(.result("ack"))
      case .ping: .answer(.result("pong"))
      case .getPublicKey: .answer(.result(pairing.identity.hex))
      case .switchRelays: .answer(.result("null"))
      case .describe: .answer(.result(ReplyText.methodNames))
      case .getRelays: .answer(.result(ReplyText.relayMap(pairing.relays)))
      case .logout, .disconnect: .leave
      case .signEvent, .nip04Encrypt, .nip04Decrypt, .nip44Encrypt, .nip44Decrypt:
        .answer(.error(ReplyText.unsupported(method.rawValue)))
      }
    return arrival.exchange(action, pairing: pairing, decision: decision)
  }

  // MARK: requests that use the user's key

  private func decideUse(_ method: Method, _ parameters: [[UInt8]], _ arrival: Arrival, _ pairing: Pairing) -> Intake {
    let operation: Operation
    do { operation = try Operation(method, parameters, for: pairing) } catch {
      return waitUnread(method, parameters, arrival, pairing)
        ?? arrival.exchange(.answer(.error(error.text)), pairing: pairing)
    }
    let facts = RequestFacts(operation, method, for: pairing, known: operation.needsLists ? lists(of: pairing) : nil)
    // The pairing as it is now, under one lock with the count of its uses.
    guard let decision = state.withLock({ $0.judge(facts, at: arrival.remoteSigner, now: arrival.now) }) else {
      return decide(arrival)  // the pairing has just ended
    }
    switch decision.verdict {
    case .allow: return arrival.exchange(.use(operation), pairing: pairing, facts: facts, decision: decision)
    case .deny:
      let refusal = ReplyText.refusal(by: decision.rule)
      return arrival.exchange(.answer(.error(refusal)), pairing: pairing, facts: facts, decision: decision)
    case .ask:
      // The signer was unlocked in the meantime: the rules are asked again.
      return wait(facts, parameters, arrival, pairing, decision) ?? decideUse(method, parameters, arrival, pairing)
    }
  }

  /// A caller that was not let in learns nothing from its own mistakes, such as which key an event does not name: it waits as with any
  /// other request.
  /// - Returns: nil when the caller was let in.
  private func waitUnread(
    _ method: Method, _ parameters: [[UInt8]], _ arrival: Arrival, _ pairing: Pairing
  ) -> Intake? {
    guard state.withLock({ $0.servedKeys[arrival.remoteSigner]?.pairing?.grant.isFirstUse }) == true else { return nil }
    return wait(RequestFacts(method: method), parameters, arrival, pairing, Decision(.ask, by: .firstUse))
  }

  /// - Returns: nil when the request would wait for the unlocking and the signer is not locked any more.
  private func wait(
    _ facts: RequestFacts, _ parameters: [[UInt8]], _ arrival: Arrival, _ pairing: Pairing, _ decision: Decision
  ) -> Intake? {
    let request = PendingRequest(
      remoteSigner: arrival.remoteSigner, client: arrival.client,
      identity: pairing.identity, method: facts.method, parameters: parameters, kind: facts.kind, rule: decision.rule,
      eventID: arrival.event.id, receivedAt: arrival.now, replies: [arrival.reply])
    let (place, shuttings) = state.withLock { ($0.enqueue(request), $0.shuttings) }
    switch place {
    case .needless: return nil
    case .answered(let answer): return repeated(answer, parameters, arrival, pairing, facts, shuttings)
    case .new(let request): return arrival.exchange(.wait(request), pairing: pairing, facts: facts, decision: decision)
    case .again(let waiting):
      return arrival.exchange(.waitStill(waiting), pairing: pairing, facts: facts, decision: decision)
    case .full:
      let refusal = Decision(.deny, by: .queueFull)
      return arrival.exchange(.answer(.error(ReplyText.queueFull)), pairing: pairing, facts: facts, decision: refusal)
    }
  }

  /// A request that is repeated shortly after the owner's answer gets the same answer, with the same date.
  private func repeated(
    _ answer: OwnerAnswer, _ parameters: [[UInt8]], _ arrival: Arrival, _ pairing: Pairing, _ facts: RequestFacts,
    _ shuttings: Int
  ) -> Intake {
    let decision = answer.isApproved ? Decision(.allow, by: .ownerApproved) : Decision(.deny, by: .ownerRefused)
    guard answer.isApproved, let operation = try? Operation(facts.method, parameters, for: pairing) else {
      return arrival.exchange(.answer(.error(ReplyText.userRejected)), pairing: pairing, facts: facts, decision: decision)
    }
    let dated = operation.dated(askedAt: answer.askedAt, now: answer.answeredAt)
    let intake = arrival.exchange(.use(dated), pairing: pairing, facts: facts, decision: decision)
    guard case .decided(var exchange) = intake else { return intake }
    exchange.shuttings = shuttings
    return .decided(exchange)
  }

  // MARK: connect

  /// A connect request from an app that is not paired: `[remote-signer key, secret?, permissions?, metadata?]`. The first is a
  /// hint that real apps fill with anything; some leave out an absent secret, so that the permissions move into its place.
  func connect(_ arrival: Arrival) -> Intake {
    let texts = (arrival.request.parameters ?? []).map { String(decoding: $0, as: UTF8.self) }
    func text(_ index: Int) -> String { index < texts.count ? texts[index] : "" }
    let claim = state.withLock {
      $0.claim(
        arrival.remoteSigner, secret: text(1), client: arrival.client,
        metadata: ClientMetadata(json: Array(text(3).utf8)), requested: Permission.list(text(2)), now: arrival.now)
    }
    switch claim {
    case .claimed(let offer): return arrival.exchange(.pair(offer), identity: offer.pairing.identity)
    case .wrongSecret: return refuseNewcomer(arrival, ReplyText.wrongSecret(isMissing: text(1).isEmpty))
    case .expired: return refuseNewcomer(arrival, ReplyText.linkExpired)
    case .spent: return decide(arrival)  // another app was faster
    }
  }

  // Each author gets one answer a minute, like any stranger: a mistyped link gets an error at once, and a flood gets none.
  private func refuseNewcomer(_ arrival: Arrival, _ text: String) -> Intake {
    let isAnswered = state.withLock { $0.mayAnswerOutsider(arrival.client, at: arrival.remoteSigner, arrival.now) }
    return isAnswered ? refuse(arrival, .connectRefused, text) : .dropped(.connectRefused)
  }
}
