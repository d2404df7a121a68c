package import AuditLog
package import Curve
import Encodings
package import Identities
package import Nostr
import Platform
package import RemoteSigning
package import Vault

/// The entries that the daemon writes to the audit log, in one place.
extension AuditEntry {
  /// The entry before anything is signed.
  /// - Parameter channel: how the owner answered, if the owner did.
  static func decided(_ exchange: Exchange, time: Int64, via channel: OwnerChannel? = nil) -> AuditEntry {
    AuditEntry(
      time: time, kind: .requestDecided, identity: exchange.identity, client: exchange.client, requestID: exchange.eventID,
      requestCreatedAt: exchange.createdAt, method: AuditMethod(exchange.method),
      eventKind: exchange.kind.flatMap { UInt16(exactly: $0) }, decision: exchange.decision.map { Decision($0.verdict) },
      rule: exchange.decision.map { AuditRule(clipping: $0.rule.reason + (channel.map { " (\($0.rawValue))" } ?? "")) },
      code: exchange.decision.map { AuditRule(clipping: $0.rule.name) }, heading: exchange.heading?.rawValue)
  }

  /// The rule that decided, whichever channel the owner's answer used. Nil for other entries.
  package var decidingRule: RemoteSigning.Rule? {
    if let code { return Rule(rawValue: code.description) }
    // Entries of earlier versions have only the text.
    guard let text = rule?.description else { return nil }
    return Rule(reason: text) ?? text.firstIndex(ofText: " (").flatMap { Rule(reason: String(text[..<$0])) }
  }

  /// The owner's answer to a waiting request, as far as this entry contains it.
  func answer(to request: PendingRequest) -> OwnerAnswer? {
    guard decidingRule == .ownerApproved || decidingRule == .ownerRefused else { return nil }
    return OwnerAnswer(to: request, isApproved: decision == .allow, answeredAt: time / 1000)
  }

  /// A waiting request that ends without an answer.
  static func dropped(_ request: PendingRequest, _ why: AuditRule) -> AuditEntry {
    AuditEntry(
      time: Clock.milliseconds, kind: .requestDropped, identity: request.identity, client: request.client,
      requestID: request.eventID, method: AuditMethod(request.method), eventKind: request.kind.flatMap { UInt16(exactly: $0) },
      rule: why, error: .expired)
  }

  /// The entry after the action succeeded or failed.
  /// - Parameter error: why it failed; nil to derive it from the exchange.
  static func done(_ exchange: Exchange, _ outcome: Outcome, time: Int64, error: AuditErrorCode? = nil) -> AuditEntry {
    AuditEntry(
      time: time, kind: .requestDone, identity: exchange.identity, client: exchange.client, requestID: exchange.eventID,
      requestCreatedAt: exchange.createdAt, method: AuditMethod(exchange.method),
      eventKind: exchange.kind.flatMap { UInt16(exactly: $0) }, rule: outcome.longAnswer.map(longAnswer),
      resultID: outcome.signedEvent, error: outcome.failed ? error ?? errorCode(of: exchange, outcome) : nil,
      amount: outcome.longAnswer.map { Int64($0) }, heading: exchange.heading?.rawValue)
  }

  private static func longAnswer(_ bytes: Int) -> AuditRule {
    AuditRule(clipping: "answered with \(bytes) bytes: rust-nostr <= 0.45.1 cannot read")
  }

  /// A caller on this machine that was not let in yet has only asked.
  static func paired(_ pairing: Pairing, time: Int64) -> AuditEntry {
    let isUnmet = pairing.grant.isFirstUse
    let trust = isUnmet ? "not let in" : "\(pairing.grant.trust.rawValue) trust"
    return AuditEntry(
      time: time, kind: isUnmet ? .firstAsked : .paired, identity: pairing.identity, client: pairing.client,
      rule: AuditRule(clipping: trust + (pairing.caller.map(part) ?? "")))
  }

  /// Of a program, half of the file's digest: nobody can make another file whose digest begins like that.
  private static func part(_ caller: LocalCaller) -> String {
    switch caller {
    case .program(let program): ", file \(program.digest.hex.prefix(32))"
    case .site(let site): ", site \(site.origin.text)"
    case .link(let link): ", links to \(link.callback)"
    }
  }

  private static func errorCode(of exchange: Exchange, _ outcome: Outcome) -> AuditErrorCode {
    switch outcome.refusal ?? exchange.decision?.rule {
    case .ownerRefused?: .deniedByOwner
    case .ownerDenied?, .queueFull?, .signersEnvelope?: .deniedByPolicy
    default: exchange.method == nil ? .unsupportedMethod : exchange.identity == nil ? .notPaired : .malformed
    }
  }
}

extension AuditErrorCode {
  /// Another event of the same coordinate and time was signed.
  package static let signedBefore = AuditErrorCode(rawValue: 1000)
}

extension AuditEntry.Decision {
  init(_ verdict: RemoteSigning.Decision.Verdict) {
    switch verdict {
    case .allow: self = .allow
    case .ask: self = .ask
    case .deny: self = .deny
    }
  }
}

extension AuditMethod {
  /// The name in NIP-46.
  package var name: String {
    switch self {
    case .other: "other"
    case .connect: Method.connect.rawValue
    case .ping: Method.ping.rawValue
    case .getPublicKey: Method.getPublicKey.rawValue
    case .signEvent: Method.signEvent.rawValue
    case .nip04Encrypt: Method.nip04Encrypt.rawValue
    case .nip04Decrypt: Method.nip04Decrypt.rawValue
    case .nip44Encrypt: Method.nip44Encrypt.rawValue
    case .nip44Decrypt: Method.nip44Decrypt.rawValue
    case .switchRelays: Method.switchRelays.rawValue
    case .logout: Method.logout.rawValue
    case .getRelays: Method.getRelays.rawValue
    case .describe: Method.describe.rawValue
    case .createAccount: "create_account"
    case .disconnect: Method.disconnect.rawValue
    }
  }

  init(_ method: RemoteSigning.Method?) {
    switch method {
    case .connect: self = .connect
    case .ping: self = .ping
    case .getPublicKey: self = .getPublicKey
    case .signEvent: self = .signEvent
    case .nip04Encrypt: self = .nip04Encrypt
    case .nip04Decrypt: self = .nip04Decrypt
    case .nip44Encrypt: self = .nip44Encrypt
    case .nip44Decrypt: self = .nip44Decrypt
    case .switchRelays: self = .switchRelays
    case .logout: self = .logout
    case .describe: self = .describe
    case .getRelays: self = .getRelays
    case .disconnect: self = .disconnect
    case nil: self = .other
    }
  }
}

extension AuditEntry {
  static func unpaired(_ pairing: Pairing, by ending: OpenedHome.Ending, time: Int64) -> AuditEntry {
    AuditEntry(
      time: time, kind: .unpaired, identity: pairing.identity, client: pairing.client,
      rule: ending.words)
  }

  /// An event about an identity, or about nothing in particular.
  package static func event(
    _ kind: Kind, identity: PublicKey? = nil, client: PublicKey? = nil, rule: AuditRule? = nil, code: AuditRule? = nil
  ) -> AuditEntry {
    AuditEntry(time: Clock.milliseconds, kind: kind, identity: identity, client: client, rule: rule, code: code)
  }
}

extension AuditEntry {
  /// The vault was opened at the start.
  /// - Parameter opening: nil for a vault that was just made.
  package static func opened(by opening: SlotOpening?) -> AuditEntry { entry(.vaultOpened, opening) }

  /// The session was unlocked while the daemon ran.
  static func unlocked(by opening: SlotOpening) -> AuditEntry { entry(.unlocked, opening) }

  private static func entry(_ kind: Kind, _ opening: SlotOpening?) -> AuditEntry {
    let failed = opening?.failedAttempts ?? 0
    return AuditEntry(
      time: Clock.milliseconds, kind: kind, rule: AuditRule(clipping: (opening?.type ?? .passphrase).name),
      amount: failed > 0 ? Int64(failed) : nil)
  }

  /// A wrong passphrase or other credential. Nil for other errors, which say nothing about a secret.
  /// - Parameter origin: where it came from; nil if that is not known.
  static func openFailed(_ error: KeyStoreError, _ type: SlotType, _ origin: AttemptOrigin? = nil) -> AuditEntry? {
    let code: AuditErrorCode
    switch error {
    case .authenticationFailed: code = .wrongPassphrase
    case .vault(.throttled): code = .throttled
    default: return nil
    }
    return AuditEntry(
      time: Clock.milliseconds, kind: .vaultOpenFailed,
      rule: AuditRule(clipping: origin.map { "\(type.name), \($0.words)" } ?? type.name), error: code,
      code: AuditRule(clipping: type.name))
  }

  /// A new key of this vault, and where it came from.
  package static func added(_ identity: Identity, as kind: Kind = .identityCreated) -> AuditEntry {
    .event(kind, identity: identity.publicKey, rule: AuditRule(clipping: identity.origin.name))
  }

  package static func rotated(_ old: PublicKey, to new: PublicKey) -> AuditEntry {
    .event(.identityRotated, identity: old, rule: AuditRule(clipping: "to \(new.npub.prefix(20))"))
  }

  /// The entry before the owner signs by command.
  static func ownerSigns(_ event: UnsignedEvent) -> AuditEntry {
    AuditEntry(
      time: Clock.milliseconds, kind: .requestDecided, identity: event.pubkey, method: .signEvent,
      eventKind: UInt16(exactly: event.kind), decision: .allow, rule: "by the owner's command",
      code: "owner-command")
  }

  package static func ownerSigned(_ event: Event) -> AuditEntry {
    AuditEntry(
      time: Clock.milliseconds, kind: .requestDone, identity: event.pubkey, method: .signEvent,
      eventKind: UInt16(exactly: event.kind), resultID: event.id)
  }

  /// The entry before a login at a relay that guardian envelopes are sent to.
  package static func guardianLogin(_ event: UnsignedEvent) -> AuditEntry {
    var entry = ownerSigns(event)
    (entry.rule, entry.code) = ("a login for guardians' letters", "guardian-login")
    return entry
  }

  /// Further logins of this type at one relay.
  package static func guardianLogins(of identity: PublicKey, count: Int) -> AuditEntry {
    AuditEntry(
      time: Clock.milliseconds, kind: .loginsGathered, identity: identity, method: .signEvent,
      eventKind: UInt16(exactly: EventKind.relayLogin), amount: Int64(count), code: "guardian-login")
  }
}

extension OpenedHome.Ending {
  fileprivate var words: AuditRule {
    switch self {
    case .app: "the app logged out"
    case .owner: "you revoked it"
    case .room: "it made room for a newer program"
    }
  }
}
