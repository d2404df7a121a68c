public import Curve
import Encodings

/// Gift wraps (NIP-59): a rumor, sealed by its author for one reader, wrapped by a key that is used once.
///
/// Relays see who it is for and nothing else: neither the author nor, since wraps and seals are dated back, when it was sent.
public enum NIP59 {
  /// The kind of a seal.
  public static let sealKind = 13
  /// The kind of a wrap.
  public static let wrapKind = 1059
  /// How far back a seal or wrap may be dated, in seconds: two days.
  public static let longestBackdating: Int64 = 2 * 24 * 60 * 60
  /// The longest content of a wrap that is opened, in bytes.
  public static let longestContent = 128 << 10
  /// Times of seals and wraps, so that they do not tell when the message was sent.
  public struct Times: Sendable {
    /// Seconds since 1970.
    public let seal: Int64
    /// Seconds since 1970.
    public let wrap: Int64

    /// Both as given.
    public init(seal: Int64, wrap: Int64) { (self.seal, self.wrap) = (seal, wrap) }

    /// Each up to two days before `now`.
    public init(before now: Int64, using random: inout some RandomNumberGenerator) {
      seal = now - Int64.random(in: 0...longestBackdating, using: &random)
      wrap = now - Int64.random(in: 0...longestBackdating, using: &random)
    }
  }

  /// Seals and wraps a rumor for one reader.
  /// - Parameters:
  ///   - author: the rumor's; a rumor of another author is `.otherAuthor`.
  ///   - wrapper: a fresh key, for this wrap alone.
  /// - Throws: `.otherAuthor`, `.failed`.
  public static func wrap(
    _ rumor: Rumor, by author: KeyPair, for reader: PublicKey, times: Times, wrapper: KeyPair
  ) throws(WrapError) -> Event {
    guard rumor.event.pubkey == author.publicKey else { throw .otherAuthor }
    let seal = try signed(rumor.json(), sealKind, [], by: author, for: reader, at: times.seal)
    return try signed(seal.json(), wrapKind, [["p", reader.hex]], by: wrapper, for: reader, at: times.wrap)
  }

  /// Opens a wrap and checks everything in it.
  /// - Parameters:
  ///   - event: from a stranger.
  ///   - isVerified: whether id and signature were looked at already.
  /// - Returns: the rumor, whose author sealed it.
  /// - Throws: the first fault.
  public static func open(_ event: Event, with key: KeyPair, isVerified: Bool = false) throws(WrapError) -> Rumor {
    guard event.kind == wrapKind else { throw .notAWrap }
    guard event.content.utf8.count <= longestContent else { throw .tooLong(limit: longestContent) }
    if !isVerified { do { try event.verify() } catch { throw .notAWrap } }
    let inside = try opened(event.content, key, event.pubkey)
    let seal: Event
    do {
      seal = try Event(parsing: inside, limits: limits)
      try seal.verify()
    } catch { throw .notASeal }
    guard seal.kind == sealKind, seal.tags.isEmpty else { throw .notASeal }
    let rumor = try Rumor(parsing: try opened(seal.content, key, seal.pubkey), limits: limits)
    guard rumor.event.pubkey == seal.pubkey else { throw .otherAuthor }
    return rumor
  }

  private static let limits = EventLimits(bytes: longestContent, content: longestContent)

  private static func opened(_ content: String, _ key: KeyPair, _ peer: PublicKey) throws(WrapError) -> [UInt8] {
    do { return try NIP44.decrypt(content, with: ConversationKey(key, peer), limit: longestContent) } catch { throw .notOpened }
  }

  private static func signed(
    _ text: [UInt8], _ kind: Int, _ tags: [[String]], by key: KeyPair, for reader: PublicKey, at time: Int64
  ) throws(WrapError) -> Event {
    do {
      let content = String(decoding: try NIP44.encrypt(text, with: ConversationKey(key, reader)), as: UTF8.self)
      return try UnsignedEvent(pubkey: key.publicKey, createdAt: max(0, time), kind: kind, tags: tags, content: content).signed(
        by: key)
    } catch { throw .failed }
  }
}
