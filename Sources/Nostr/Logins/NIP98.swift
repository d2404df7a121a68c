import Ciphers
public import Curve
import Encodings

/// Login to an HTTP server by a signed event in the `Authorization` header (NIP-98).
public enum NIP98 {
  /// Seconds that `created_at` may differ from the server's clock, either way.
  public static let standardWindow: Int64 = 60
  /// The most bytes of a header that is looked at.
  public static let longestHeader = 16 << 10

  /// The event behind a header, not yet signed.
  /// - Parameters:
  ///   - url: absolute, with its query, exactly as it is requested.
  ///   - body: the bytes that are sent, or none.
  ///   - now: seconds since 1970.
  public static func event(url: String, method: String, body: [UInt8] = [], author: PublicKey, now: Int64) -> UnsignedEvent {
    var tags = [["u", url], ["method", method]]
    if !body.isEmpty { tags.append(["payload", SHA256.digest(of: body).hex]) }
    return UnsignedEvent(pubkey: author, createdAt: now, kind: EventKind.httpLogin, tags: tags)
  }

  /// The value of the `Authorization` header for a signed event: `Nostr <base64>`.
  public static func header(for event: Event) -> String { "Nostr " + Base64.string(event.json()) }

  /// As the two above, with a key given.
  /// - Throws: `.signingFailed`, which does not happen with a valid key.
  public static func header(
    url: String, method: String, body: [UInt8] = [], key: KeyPair, now: Int64
  ) throws(CurveError) -> String {
    header(for: try event(url: url, method: method, body: body, author: key.publicKey, now: now).signed(by: key))
  }

  /// Checks a header. NIP-98 has no rule against replays: keep the ids of accepted events for the length of the window.
  /// - Parameters:
  ///   - header: the value of `Authorization`, from a stranger.
  ///   - url: absolute, with its query, as the server knows itself; compared byte for byte.
  ///   - method: compared without regard to ASCII case.
  ///   - body: the raw bytes received. A body needs a `payload` tag unless `payloadRequired` is false; a tag that is there must fit.
  ///   - now: seconds since 1970.
  ///   - window: seconds that `created_at` may differ, either way.
  /// - Returns: the event, whose author has logged in.
  public static func check(
    _ header: [UInt8], url: String, method: String, body: [UInt8] = [], payloadRequired: Bool = true, now: Int64,
    window: Int64 = standardWindow
  ) throws(LoginError) -> Event {
    let event = try event(in: header)
    guard event.kind == EventKind.httpLogin else { throw .wrongKind(event.kind) }
    guard isSame(try event.onlyTag("u", .url), url) else { throw .mismatch(.url) }
    let signedMethod = try event.onlyTag("method", .method)
    guard isSame(signedMethod.uppercased(), method.uppercased()) else { throw .mismatch(.method) }
    try checkPayload(event, body, payloadRequired)
    try event.checkLogin(kind: EventKind.httpLogin, now: now, window: window)
    return event
  }

  private static func event(in header: [UInt8]) throws(LoginError) -> Event {
    guard header.count <= longestHeader else { throw .tooLong(limit: longestHeader) }
    let scheme = Array("nostr ".utf8)
    guard header.prefix(scheme.count).map({ $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }) == scheme else { throw .wrongScheme }
    guard let json = Base64.decode(Array(header.dropFirst(scheme.count))) else { throw .notBase64 }
    do { return try Event(parsing: json, limits: EventLimits(bytes: longestHeader, tags: 16, tagItems: 64)) } catch {
      throw .event(error)
    }
  }

  private static func checkPayload(_ event: Event, _ body: [UInt8], _ isRequired: Bool) throws(LoginError) {
    guard !event.tagValues("payload").isEmpty || isRequired && !body.isEmpty else { return }
    let payload = try event.onlyTag("payload", .payload)
    guard Bytes32(hex: payload) == SHA256.digest(of: body) else { throw .mismatch(.payload) }
  }
}
