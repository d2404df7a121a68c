import Curve
import Encodings
import JSON
public import Nostr
import Platform

/// From a recorded exchange to its answers.
extension SigningEngine {
  /// Carries out the decision and makes the answers. Call it once, and only after the exchange was recorded durably.
  /// - Parameter now: seconds since 1970; the answers' time, and that of an event whose template has none.
  public func perform(_ exchange: Exchange, now: Int64) -> Outcome {
    switch exchange.action {
    case .wait, .waitStill: return Outcome(replies: [], signedEvent: nil, failed: false)
    case .answer(let answer):
      keys.dropGiven(for: exchange.eventID)
      return outcome(exchange, answer, now: now)
    case .pair, .leave: return outcome(exchange, .result("ack"), now: now)
    case .use(let operation): return perform(operation, for: exchange, now: now)
    }
  }

  /// The answer to an exchange that could not be recorded: an error, and nothing was done.
  /// - Parameter isShareUsedUp: whether only the app's share of the log is used up; otherwise the log has no space for anybody.
  public func refuseUnrecorded(_ exchange: Exchange, isShareUsedUp: Bool = false, now: Int64) -> Outcome {
    keys.dropGiven(for: exchange.eventID)
    return outcome(exchange, .error(isShareUsedUp ? ReplyText.shareUsedUp : ReplyText.notStored), now: now)
  }

  private func perform(_ operation: Operation, for exchange: Exchange, now: Int64) -> Outcome {
    guard let identity = exchange.identity else { return outcome(exchange, .error(ReplyText.locked), now: now) }
    if let outcome = use(operation, of: identity, for: exchange, now: now) { return outcome }
    if keeping(of: identity) == .inGroup, let outcome = withoutGroup(operation, of: identity, for: exchange, now: now) {
      return outcome
    }
    return withoutKey(exchange, now: now)
  }

  /// - Returns: nil if the key is not available.
  private func use(_ operation: Operation, of identity: PublicKey, for exchange: Exchange, now: Int64) -> Outcome? {
    let conversations = conversations
    let done = keys.use(identity, for: exchange.eventID, lockedMeanwhile: { conversations.removeAll() }) { key in
      use(operation, key, for: exchange, now: now)
    }
    return done ?? nil
  }

  // MARK: while the record is written

  /// Makes the answers to an exchange while its record is being written. Send them when the record is durable, and only if
  /// `mayGiveOut` is true at that moment. Otherwise discard them and call `perform`.
  /// - Returns: nil if nothing can be prepared: the key is locked away, was given for one use, or is nowhere whole.
  public func prepare(_ exchange: Exchange, now: Int64) -> Outcome? {
    guard case .use(let operation) = exchange.action, let identity = exchange.identity, keeping(of: identity) != .perUse else {
      return nil
    }
    return use(operation, of: identity, for: exchange, now: now)
  }

  /// Whether the answers of `prepare` may still be sent: nothing was locked and no rule changed while the record was written.
  public func mayGiveOut(_ exchange: Exchange, now: Int64) -> Bool {
    guard let identity = exchange.identity else { return false }
    return state.withLock { state in
      !state.isKeyAway(identity) && !state.isOvertaken(exchange) && state.stillAllows(exchange, now: now)
    }
  }

  /// - Returns: nil if there was a lockdown since the owner approved it.
  private func use(_ operation: Operation, _ key: KeyPair, for exchange: Exchange, now: Int64) -> Outcome? {
    if state.withLock({ $0.isOvertaken(exchange) }) { return nil }
    // Checked again, because the owner may have changed something while the record was written.
    guard stillAllows(exchange, now: now) else { return outcome(exchange, .error(ReplyText.notPermitted), now: now) }
    do throws(ParameterError) {
      switch operation {
      case .identify: return outcome(exchange, .result(key.publicKey.hex), now: now)
      case .sign(let template): return try sign(template, key, exchange, now: now)
      case .encrypt(let cipher, let peer, let text):
        return outcome(exchange, .result(try encrypt(text, cipher, between(key, peer))), now: now)
      case .decrypt(let cipher, let peer, let payload):
        return outcome(exchange, .result(try decrypt(payload, cipher, between(key, peer))), now: now)
      }
    } catch { return refused(exchange, error, now: now) }
  }

  func refused(_ exchange: Exchange, _ error: ParameterError, now: Int64) -> Outcome {
    var outcome = outcome(exchange, .error(error.text), now: now)
    outcome.refusal = error.rule
    return outcome
  }

  /// Whether the decision may still be carried out: the app is paired as it was, and the rules allow it now or the owner approved
  /// exactly this. A follow list or profile is compared again, because another one may have been signed in the meantime.
  public func stillAllows(_ exchange: Exchange, now: Int64) -> Bool {
    var exchange = exchange
    if let identity = exchange.identity, case .use(.sign(let template)) = exchange.action {
      exchange.facts?.compare(template, with: state.withLock { $0.known[identity] })
    }
    return state.withLock { $0.stillAllows(exchange, now: now) }
  }

  // MARK: the four uses of a key

  private func sign(
    _ template: EventTemplate, _ key: KeyPair, _ exchange: Exchange, now: Int64
  ) throws(ParameterError) -> Outcome {
    let unsigned = try Self.signable(template, by: key.publicKey, now: now)
    do { return signed(try unsigned.signed(by: key), exchange, now: now) } catch { throw ParameterError(text: ReplyText.failed) }
  }

  static func signable(_ template: EventTemplate, by author: PublicKey, now: Int64) throws(ParameterError) -> UnsignedEvent {
    guard template.kind != SignerEnvelope.kind else { throw .signersEnvelope }
    return template.unsigned(by: author, now: now)
  }

  /// The answers with a signed event.
  func signed(_ event: Event, _ exchange: Exchange, now: Int64) -> Outcome {
    let json = event.json()
    let replies = replies(of: exchange, now: now) { reply in
      Response.result(requestID: reply.requestID, reserving: json.count + json.count / 4 + 128) { writer in
        json.withUnsafeBytes { writer.string(utf8: $0) }
      }
    }
    return Outcome(replies: replies, signedEvent: event.id, failed: false)
  }

  /// The keys between an identity and somebody else. Each is made when it is wanted.
  struct SharedKeys {
    let nip04: () throws -> Insecure.NIP04.Key
    let nip44: () throws -> ConversationKey
  }

  // Nothing is kept that was made with a key for one use.
  private func between(_ key: KeyPair, _ peer: PublicKey) -> SharedKeys {
    SharedKeys(nip04: { try Insecure.NIP04.Key(key, peer) }) { [self] in
      guard keeping(of: key.publicKey) != .perUse else { return try ConversationKey(key, peer) }
      return try conversations.key(key, peer)
    }
  }

  /// Whether a text may be encrypted at all.
  static func check(_ text: [UInt8], _ cipher: EnvelopeCipher) throws(ParameterError) {
    guard text.count <= NIP46.maximumPlaintext else { throw ParameterError(text: ReplyText.tooLong) }
    // The rules check this, too, but the owner's approval goes past the rules.
    guard !SignerEnvelope.isOne(text) else { throw .signersEnvelope }
    guard cipher == .nip04 || !text.isEmpty else { throw ParameterError(text: ReplyText.emptyText) }
  }

  func encrypt(_ text: [UInt8], _ cipher: EnvelopeCipher, _ keys: SharedKeys) throws(ParameterError) -> String {
    try Self.check(text, cipher)
    do {
      switch cipher {
      case .nip04: return String(decoding: try Insecure.NIP04.encrypt(text, with: keys.nip04()), as: UTF8.self)
      case .nip44:
        let conversation = try keys.nip44()
        return String(decoding: try text.withUnsafeBytes { try NIP44.encrypt($0, with: conversation) }, as: UTF8.self)
      }
    } catch { throw ParameterError(text: ReplyText.failed) }
  }

  func decrypt(_ payload: [UInt8], _ cipher: EnvelopeCipher, _ keys: SharedKeys) throws(ParameterError) -> String {
    let plaintext: [UInt8]
    do {
      switch cipher {
      case .nip04: plaintext = try Insecure.NIP04.decrypt(payload, with: keys.nip04(), limit: NIP46.maximumPlaintext)
      case .nip44: plaintext = try NIP44.decrypt(payload, with: keys.nip44(), limit: NIP46.maximumPlaintext)
      }
    } catch { throw ParameterError(text: ReplyText.undecryptable) }
    // An empty success is never sent: some clients wait for ever on it.
    guard !plaintext.isEmpty else { throw ParameterError(text: ReplyText.emptyPlaintext) }
    guard !SignerEnvelope.isOne(plaintext) else { throw .signersEnvelope }
    guard let text = String(validating: plaintext, as: UTF8.self) else { throw ParameterError(text: ReplyText.notText) }
    return text
  }

  // MARK: long answers

  /// Notes that an app got an answer in NIP-44's form for long texts.
  /// - Parameter bytes: of its plaintext.
  public func noteLongAnswer(_ bytes: Int, to exchange: Exchange, now: Int64) {
    state.withLock { $0.noteLongAnswer(LongAnswer(bytes: bytes, at: now), to: exchange) }
  }

  // MARK: envelopes

  func outcome(_ exchange: Exchange, _ answer: Answer, now: Int64) -> Outcome {
    let events = replies(of: exchange, now: now) { Response.plaintext(requestID: $0.requestID, answer) }
    let failed = if case .error = answer { true } else { false }
    return Outcome(replies: events, signedEvent: nil, failed: failed)
  }

  private func replies(of exchange: Exchange, now: Int64, _ plaintext: (ReplyAddress) -> [UInt8]) -> [Reply] {
    exchange.replies.compactMap { address in
      let plaintext = plaintext(address)
      return seal(plaintext, address.envelope, exchange.channel, exchange.client, now: now).map { event in
        Reply(event: event, plaintext: plaintext, envelope: address.envelope, channel: exchange.channel, client: exchange.client)
      }
    }
  }

  /// The address where the owner answers, sent once to an app whose request waits. Programs on this machine get none.
  public func authURL(_ address: String, for exchange: Exchange, now: Int64) -> [Reply] {
    replies(of: exchange, now: now) { Response.authURL(requestID: $0.requestID, address) }.filter { $0.envelope != nil }
  }

  /// The same answer as a new event: new time, nonce and signature.
  public func refreshed(_ reply: Reply, now: Int64) -> Event? {
    seal(reply.plaintext, reply.envelope, reply.channel, reply.client, now: now)
  }

  /// An answer as a signed kind 24133 event to one app. Nil only when memory is out.
  /// - Parameter cipher: nil for an answer that stays on this machine: its event has no content and is never published.
  func seal(_ plaintext: [UInt8], _ cipher: EnvelopeCipher?, _ channel: Channel, _ client: PublicKey, now: Int64) -> Event? {
    let content: [UInt8]?
    switch cipher {
    case nil: return .placeholder(from: channel.signer.publicKey, to: client, at: now)
    case .nip04: content = try? Insecure.NIP04.encrypt(plaintext, key: channel.signer, peer: client)
    case .nip44:
      content = (try? channel.conversation(with: client, keeping: false)).flatMap { key in
        plaintext.withUnsafeBytes { try? NIP44.encrypt($0, with: key) }
      }
    }
    guard let content else { return nil }
    let event = UnsignedEvent(
      pubkey: channel.signer.publicKey, createdAt: now, kind: NIP46.kind, tags: [["p", client.hex]],
      content: String(decoding: content, as: UTF8.self))
    return try? event.signed(by: channel.signer)
  }
}
