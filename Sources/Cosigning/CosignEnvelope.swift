public import Curve
public import Nostr

/// How a message of cosigners travels over relays: gift-wrapped (NIP-59), so that a relay sees a key that is used once and the reader's key, and
/// learns neither who wrote it, nor to which group it belongs, nor when it was written. Relays keep it for a reader who is away.
public enum CosignEnvelope {
  /// The kind of the rumor, which is never published as it is.
  public static let kind = 4143
  /// How long after it was written a message is still read, in seconds.
  public static let longestAge = CosignMember.longestWait
  /// How far ahead of the reader's clock a writer's may be, in seconds.
  public static let longestLead: Int64 = 60

  /// Seals and wraps a message.
  /// - Parameters:
  ///   - author: the writer's key in the group.
  ///   - reader: the reader's key in the group.
  ///   - now: seconds since 1970.
  /// - Throws: `.notSealed`, for a message whose wrap is longer than one that is opened, or when memory is short.
  public static func seal(
    _ message: CosignMessage, by author: KeyPair, for reader: PublicKey, now: Int64
  ) throws(CosignError) -> Event {
    try seal(message.json(), by: author, for: reader, now: now)
  }

  /// Seals and wraps a message of a ceremony, as the others.
  public static func seal(
    _ message: CeremonyMessage, by author: KeyPair, for reader: PublicKey, now: Int64
  ) throws(CosignError) -> Event {
    try seal(message.json(), by: author, for: reader, now: now)
  }

  private static func seal(_ json: [UInt8], by author: KeyPair, for reader: PublicKey, now: Int64) throws(CosignError) -> Event {
    let text = String(decoding: json, as: UTF8.self)
    let rumor = Rumor(UnsignedEvent(pubkey: author.publicKey, createdAt: now, kind: kind, content: text))
    var random = SystemRandomNumberGenerator()
    guard
      let event = try? NIP59.wrap(
        rumor, by: author, for: reader, times: .init(before: now, using: &random), wrapper: try KeyPair.random()),
      event.content.utf8.count <= NIP59.longestContent
    else { throw .notSealed }
    return event
  }

  /// Opens what a relay brought.
  /// - Parameters:
  ///   - event: from a stranger.
  ///   - key: the reader's in the group.
  ///   - now: seconds since 1970.
  /// - Returns: the message, and the number of the member that wrote and signed it.
  /// - Throws: `.notSealed` for what is no gift wrap for this key with such a message, `.stranger`, `.expired`, `.malformed`, `.otherGroup`.
  public static func open(
    _ event: Event, with key: KeyPair, group: CosignGroup, now: Int64
  ) throws(CosignError) -> (message: CosignMessage, from: UInt32) {
    let (text, author) = try open(event, with: key, now: now)
    guard let from = group.number(of: author) else { throw .stranger }
    let message = try CosignMessage(parsing: text)
    guard message.group == group.id else { throw .otherGroup }
    return (message, from)
  }

  /// Opens what a relay brought, as the JSON of a message: of a group, or of a ceremony.
  /// - Parameters:
  ///   - event: from a stranger.
  ///   - key: the reader's in the group.
  ///   - now: seconds since 1970.
  /// - Returns: the JSON, and who wrote and signed it.
  /// - Throws: `.notSealed`, `.expired`.
  public static func open(_ event: Event, with key: KeyPair, now: Int64) throws(CosignError) -> (json: [UInt8], from: PublicKey) {
    guard let rumor = try? NIP59.open(event, with: key).event, rumor.kind == kind else { throw .notSealed }
    let (age, isOver) = now.subtractingReportingOverflow(rumor.createdAt)
    guard !isOver, (-longestLead...longestAge).contains(age) else { throw .expired }
    return (Array(rumor.content.utf8), rumor.pubkey)
  }
}
