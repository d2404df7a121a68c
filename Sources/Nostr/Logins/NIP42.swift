public import Curve

/// Login to a relay by a signed event that answers its challenge (NIP-42).
public enum NIP42 {
  /// Seconds that `created_at` may differ from the relay's clock, either way.
  public static let standardWindow: Int64 = 600

  /// Bytes of a challenge that is answered; a longer one is a text that somebody wants signed.
  public static let longestChallenge = 1024

  /// The answer to a challenge, not yet signed.
  /// - Parameters:
  ///   - relay: the URL as it was connected to.
  ///   - challenge: the text of the relay's `AUTH` message.
  ///   - now: seconds since 1970.
  public static func event(relay: String, challenge: String, author: PublicKey, now: Int64) -> UnsignedEvent {
    UnsignedEvent(
      pubkey: author, createdAt: now, kind: EventKind.relayLogin, tags: [["relay", relay], ["challenge", challenge]])
  }

  /// Checks an answer.
  /// - Parameters:
  ///   - relays: the URLs this relay is known by; compared without regard to the case of scheme and host, the scheme's own port
  ///     and a slash at the end.
  ///   - challenge: what was sent on this connection; an empty one matches nothing.
  ///   - now: seconds since 1970.
  /// - Throws: the first fault found; when nothing is thrown, the author has logged in.
  public static func check(
    _ event: Event, relays: [String], challenge: String, now: Int64, window: Int64 = standardWindow
  ) throws(LoginError) {
    guard event.kind == EventKind.relayLogin else { throw .wrongKind(event.kind) }
    let answered = try event.onlyTag("challenge", .challenge)
    guard !challenge.isEmpty, isSame(answered, challenge) else { throw .mismatch(.challenge) }
    let named = canonical(try event.onlyTag("relay", .relay))
    guard relays.contains(where: { canonical($0) == named }) else { throw .mismatch(.relay) }
    try event.checkLogin(kind: EventKind.relayLogin, now: now, window: window)
  }

  /// The URL's bytes with scheme and host in lower case, without the scheme's own port and without a slash at the end.
  private static func canonical(_ url: String) -> [UInt8] {
    let bytes = Array(url.utf8)
    let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
    let scheme = bytes.prefix { $0 != slash }.map(lower)
    let rest = bytes.dropFirst(scheme.count).drop { $0 == slash }
    var host = rest.prefix { $0 != slash && $0 != question }.map(lower)
    let path = rest.dropFirst(host.count)
    let port = scheme == Array("wss:".utf8) ? ":443" : scheme == Array("ws:".utf8) ? ":80" : ""
    if !port.isEmpty, host.suffix(port.utf8.count).elementsEqual(port.utf8) { host.removeLast(port.utf8.count) }
    return scheme + [slash, slash] + host + (path.last == slash ? path.dropLast() : path)
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
