import Nostr

/// The date of a signed event whose request waited for the owner.
public enum SigningTime {
  /// A template dated within so many seconds of its request's arrival means "now".
  public static let window: Int64 = 300
  /// A request answered within so many seconds keeps the template's own time, as if the owner had not been asked.
  public static let patience: Int64 = 30

  /// Whether the app chose another time than the present on purpose, as for an imported post or one for later.
  public static func isDeliberate(_ createdAt: Int64, receivedAt: Int64) -> Bool {
    let (difference, overflow) = createdAt.subtractingReportingOverflow(receivedAt)
    return overflow || difference.magnitude > UInt64(window)
  }

  /// How far ahead of our clock an event may be dated without asking the owner, in seconds: 15 minutes. The clock of an honest
  /// program is not further off. On relays, an event that is dated ahead replaces all events with an earlier date.
  public static let toleratedLead: Int64 = 900
  /// The same for logins to websites and file servers, in seconds: one dated ahead is one to be used later.
  public static let toleratedLoginLead: Int64 = 60

  /// How far ahead of our clock a place of a restored vault may be closed, in seconds. It allows for apps that date ahead, and
  /// for a clock that was set back since. A place that is closed further ahead was closed by a wrong clock.
  public static let closedLead: Int64 = 2 * toleratedLead

  /// Whether a time lies further ahead than is tolerated.
  /// - Parameters:
  ///   - createdAt: seconds since 1970; nil for now.
  ///   - now: seconds since 1970.
  public static func isAhead(_ createdAt: Int64?, of now: Int64, by lead: Int64 = toleratedLead) -> Bool {
    guard let createdAt else { return false }
    return createdAt > limit(now, lead)
  }

  /// The latest time that is not ahead, seconds since 1970.
  public static func limit(_ now: Int64, _ lead: Int64 = toleratedLead) -> Int64 {
    let (limit, overflow) = now.addingReportingOverflow(lead)
    return overflow ? .max : limit
  }

  /// Whether an event of this kind is a login, which its receiver takes for a minute or so only.
  public static func isLogin(_ kind: Int) -> Bool { KindTable.effect(of: kind) == .login }
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
