import Curve
import RemoteSigning
import RequestPreview

/// The sentences of notifications. They are shown over the lock screen and kept: they say who asks, for what kind of thing, and why it was
/// decided so, and nothing that the app wrote besides its name.
struct NotificationText {
  let state: ExtensionState
  let engine: SigningEngine

  /// A request that uses a key, or would.
  func outcome(
    _ result: NotificationOutcome.Result, of request: PendingRequest, by rule: Rule?, fault: NotificationOutcome.Fault? = nil
  ) -> NotificationOutcome {
    let described = described(request)
    return NotificationOutcome(
      result, title: described.noticeHeading, body: described.noticeIdentity + Self.sentence(result, rule), fault: fault,
      rule: rule)
  }

  private func described(_ request: PendingRequest) -> RequestDescription {
    let pairing = engine.pairings.first { $0.remoteSigner == request.remoteSigner }
    return RequestDescription(
      request,
      .init(
        pairing: pairing, identityName: state.name(of: request.identity), facts: engine.facts(of: request), before: nil,
        batches: Batches([request])))
  }

  private static func sentence(_ result: NotificationOutcome.Result, _ rule: Rule?) -> String {
    let reason = rule?.reason ?? "the rules were not asked"
    return switch result {
    case .signed: "Answered: \(reason)."
    case .waiting: "Asked because: \(reason). Open Holdfast to answer."
    case .locked: "Its key is locked. Open Holdfast to answer."
    case .denied: "Denied: \(reason)."
    case .notFound, .notOurs, .seen, .failed: "It was allowed, but could not be answered. Open Holdfast."
    }
  }

  /// A request that a rule denied. Of such a one only the kind of operation is known here.
  func denied(_ exchange: Exchange) -> NotificationOutcome {
    let rule = exchange.decision?.rule
    return NotificationOutcome(
      .denied, title: "\(name(of: exchange)): a request was denied",
      body: identity(exchange.identity) + (rule.map { "Denied: \($0.reason)." } ?? "The app made a mistake and was told."),
      rule: rule)
  }

  /// An app that paired by a link.
  func paired(_ pairing: Pairing) -> NotificationOutcome {
    NotificationOutcome(
      .signed, title: "\(RequestDescription.short(pairing.name)) is paired",
      body: identity(pairing.identity) + "It used a link that you made.")
  }

  /// An app that left.
  func left(_ exchange: Exchange) -> NotificationOutcome {
    NotificationOutcome(
      .signed, title: "\(name(of: exchange)) has logged out", body: identity(exchange.identity) + "It can ask nothing any more.",
      rule: exchange.decision?.rule)
  }

  private func name(of exchange: Exchange) -> String {
    let key = exchange.channel.signer.publicKey
    let name =
      engine.pairings.first { $0.remoteSigner == key }?.name ?? state.pairings.first { $0.value.remoteSigner == key }?.value.name
    return RequestDescription.short(name.flatMap { $0.isEmpty ? nil : $0 } ?? String(exchange.client.hex.prefix(8)))
  }

  private func identity(_ key: PublicKey?) -> String {
    let name = state.name(of: key)
    return name.isEmpty ? "" : "As \(RequestDescription.short(name)). "
  }
}

extension NotificationOutcome {
  /// A request that could not be answered, and is not known well enough to say more.
  static func failed(_ fault: Fault) -> NotificationOutcome {
    NotificationOutcome(.failed, title: "A request was not answered", body: fault.sentence, fault: fault)
  }

  static let notFound = NotificationOutcome(
    .notFound, title: "A request could not be fetched", body: "Its relay does not have it any more, or it is too large.")
  static let notOurs = NotificationOutcome(.notOurs)
  static let seen = NotificationOutcome(.seen)
}

extension NotificationOutcome.Fault {
  fileprivate var sentence: String {
    switch self {
    case .payload: "The push could not be read."
    case .files(.notThere(.state)): "Open Holdfast: it answers requests itself, or was not set up."
    case .files(.inUse): "Holdfast was busy. Open it to answer."
    case .files(.tooLong(.journal, _)): "Open Holdfast: it must first take over what was answered."
    case .files(.olderState), .files(.otherJournal), .files(.notAuthentic):
      "Open Holdfast: its files for answering in the background were changed."
    case .files: "Open Holdfast: its files for answering in the background cannot be used."
    case .relays: "Its relay could not be reached, or did not take the answer."
    case .deadline: "There was not enough time. Open Holdfast to answer."
    case .answeredWithError: "The app asked for something that cannot be done, and got an error."
    case .overloaded: "Too many requests came."
    }
  }
}
