internal import Nostr

/// The time that a signed event bears when its request waited for the owner.
public enum SigningTime {
  /// A template dated within so many seconds of its request's arrival means "now".
  public static let window: Int64 = 300
  /// A request answered within so many seconds keeps the template's own time, as if nobody had been asked.
  public static let patience: Int64 = 30

  /// Whether the app chose another time than the present on purpose: an old post brought along, one for later.
  public static func isDeliberate(_ createdAt: Int64, receivedAt: Int64) -> Bool {
    let (difference, overflow) = createdAt.subtractingReportingOverflow(receivedAt)
    return overflow || difference.magnitude > UInt64(window)
  }

  /// Whether an event of this kind is a login, which its receiver takes for a minute or so only.
  public static func isLogin(_ kind: Int) -> Bool { kind == EventKind.relayLogin || kind == EventKind.httpLogin }
}

extension Operation {
  /// The operation with the time that its event gets after the request waited: that of the approval, unless the app chose
  /// another on purpose or the owner was quick.
  /// - Parameter now: when it was answered.
  func dated(askedAt: Int64, now: Int64) -> Operation {
    guard case .sign(let template) = self else { return self }
    guard let createdAt = template.createdAt, !SigningTime.isLogin(template.kind) else { return .sign(template.dated(now)) }
    let waited = now.subtractingReportingOverflow(askedAt)
    let isQuick = !waited.overflow && waited.partialValue <= SigningTime.patience
    let keeps = isQuick || SigningTime.isDeliberate(createdAt, receivedAt: askedAt)
    return keeps ? self : .sign(template.dated(now))
  }
}

extension EventTemplate {
  fileprivate func dated(_ time: Int64) -> EventTemplate {
    EventTemplate(pubkey: pubkey, createdAt: time, kind: kind, tags: tags, content: content)
  }
}
