import Ciphers
import Curve
import Encodings
import Nostr

extension FuzzTarget {
  /// NIP-98 and NIP-42: anything as a header; anything as the event in it; and signed events with tags of the input's choosing, of
  /// which only those that say the right thing may pass.
  static let logins = FuzzTarget("logins") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    try require((try? NIP98.check(input, url: url, method: "GET", now: now)) == nil, "nobody guesses a signature")
    let wrapped = Array("Nostr ".utf8) + Base64.encode(input)
    try require((try? NIP98.check(wrapped, url: url, method: "GET", now: now)) == nil, "nobody guesses a signature")
    var feed = ByteFeed(bytes)
    try httpLogin(&feed)
    try relayLogin(&feed)
  }

  private static let now: Int64 = 1_700_000_000
  private static let url = "https://h.example/a?b=c"
  private static let relay = "wss://r.example/"

  private static func httpLogin(_ feed: inout ByteFeed) throws(FuzzFault) {
    let offset = Int64(feed.int16())
    let body = feed.bytes(feed.index(below: 4))
    let tags = Self.tags(&feed, [["u", url], ["method", "get"], ["payload", SHA256.digest(of: body).hex]])
    let kind = feed.bool() ? 27235 : 27234
    let event = try signed(kind, tags, at: now &+ offset)
    let header = Array(NIP98.header(for: event).utf8)
    guard (try? NIP98.check(header, url: url, method: "GET", body: body, now: now)) != nil else { return }
    try require(kind == 27235 && offset.magnitude <= 60, "kind and time are checked")
    try require(event.tagValues("u").map { Array($0.utf8) } == [Array(url.utf8)], "the URL is checked")
    try require(event.tagValues("method").map { $0.uppercased() } == ["GET"], "the method is checked")
    let payloads = event.tagValues("payload")
    try require(payloads.isEmpty ? body.isEmpty : payloads.count == 1, "a body needs its hash, once")
    try require(payloads.allSatisfy { Bytes32(hex: $0) == SHA256.digest(of: body) }, "the hash is checked")
  }

  private static func relayLogin(_ feed: inout ByteFeed) throws(FuzzFault) {
    let offset = Int64(feed.int16())
    let event = try signed(22242, tags(&feed, [["relay", relay], ["challenge", "c"]]), at: now &+ offset)
    guard (try? NIP42.check(event, relays: [relay], challenge: "c", now: now)) != nil else { return }
    try require(offset.magnitude <= 600 && event.tagValues("challenge") == ["c"], "time and challenge are checked")
    try require(event.tagValues("relay").count == 1, "one relay is named")
    try require((try? NIP42.check(event, relays: [relay], challenge: "d", now: now)) == nil, "another challenge is refused")
    try require((try? NIP42.check(event, relays: ["wss://q.example"], challenge: "c", now: now)) == nil, "another relay, too")
  }

  /// The right tags, some left out, doubled or changed, and then some of the input's own.
  private static func tags(_ feed: inout ByteFeed, _ right: [[String]]) -> [[String]] {
    var tags: [[String]] = []
    for tag in right {
      switch feed.byte() {
      case 1: continue
      case 2: tags += [tag, tag]
      case 3: tags.append([tag[0], String(decoding: feed.shortBytes(), as: UTF8.self)])
      case 4: tags.append([tag[0]])
      default: tags.append(tag)
      }
    }
    for _ in 0..<feed.index(below: 4) {
      tags.append((0..<feed.index(below: 3)).map { _ in String(decoding: feed.shortBytes(), as: UTF8.self) })
    }
    return tags
  }

  private static func signed(_ kind: Int, _ tags: [[String]], at time: Int64) throws(FuzzFault) -> Event {
    let event = UnsignedEvent(pubkey: Keys.alice.publicKey, createdAt: time, kind: kind, tags: tags)
    return try unfailing("a login is signed") { try event.signed(by: Keys.alice, auxiliary: Bytes32()) }
  }
}
