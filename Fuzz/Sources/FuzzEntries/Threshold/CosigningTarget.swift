import Cosigning
import Curve
import Encodings
import Nostr
import Threshold

extension FuzzTarget {
  /// Messages of cosigners: as raw bytes, real ones with one byte changed, and a coordinator that says what it likes in any order.
  static let cosigning = FuzzTarget("cosigning") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    switch feed.index(below: 3) {
    case 0: try raw(feed.remaining())
    case 1: try changed(&feed)
    default: try coordinator(&feed)
    }
  }

  private static func raw(_ bytes: [UInt8]) throws(FuzzFault) {
    guard let message = try? CosignMessage(parsing: bytes) else { return }
    let again = try unfailing("what was read is written as a message") { try CosignMessage(parsing: message.json()) }
    try require(again.json() == message.json(), "a message is read as it was written")
  }

  private static func changed(_ feed: inout ByteFeed) throws(FuzzFault) {
    let cosigners = Cosigners.shared
    var text = cosigners.messages[feed.index(below: cosigners.messages.count)].json()
    let place = (Int(feed.byte()) << 8 | Int(feed.byte())) % text.count
    text[place] = feed.byte()
    guard let message = try? CosignMessage(parsing: text) else { return }
    var member = cosigners.member
    _ = try? member.receive(message, from: UInt32(feed.index(below: 4)), now: 1500)
    guard var round = try? CosignRound(cosigners.group, .sign(cosigners.event), request: cosigners.request, expires: 2000) else {
      return
    }
    _ = try? round.receive(message, from: UInt32(feed.index(below: 4)))
    _ = try? round.goOn()
  }

  /// One member, and all that a coordinator without scruples can do to it.
  private static func coordinator(_ feed: inout ByteFeed) throws(FuzzFault) {
    let cosigners = Cosigners.shared
    var member = cosigners.member
    var own = cosigners.nonces[1]
    var parts: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<feed.index(below: 12) {
      var answers: [CosignMember.Action] = []
      switch feed.index(below: 4) {
      case 0: answers = (try? member.receive(cosigners.messages[0], from: 0, now: 1500)) ?? []
      case 1: answers = (try? [member.approve(cosigners.request, from: 0)]) ?? []
      case 2: answers = (try? [member.decline(cosigners.request, from: 0, because: feed.bool() ? .denied : .asking)]) ?? []
      default:
        let signers: [CosignMessage.Signer] = [
          .init(UInt32(feed.index(below: 3)), cosigners.nonces[feed.index(below: 2)]), .init(1, own),
        ]
        let sign = CosignMessage(group: cosigners.group.id, request: cosigners.request, .sign(signers))
        answers = (try? member.receive(sign, from: 0, now: 1500)) ?? []
      }
      for case .send(let answer, _) in answers {
        if case .commit(let nonce) = answer.content { own = nonce }
        guard case .part(let part, let used, let next) = answer.content else { continue }
        try require(parts[used.bytes].map { $0 == part.bytes } ?? true, "a nonce signs once")
        parts[used.bytes] = part.bytes
        if feed.bool() { own = next }
      }
    }
  }
}

/// Three members with a key that was split. Made once; nobody's.
private struct Cosigners {
  static let shared = try! Cosigners()  // fixed keys, and memory for them

  let group: CosignGroup
  let event: UnsignedEvent
  let request = Bytes32()
  let nonces: [PublicNonce]
  let messages: [CosignMessage]
  private let share: KeyShare

  var member: CosignMember { try! CosignMember(group, share: share) }  // the share is the group's

  private init() throws {
    let dealing = try TrustedDealer.split(try Keys.bob.secretKey(), threshold: 2, members: 3)
    let keys: [UInt8] = [31, 32, 33]
    group = try CosignGroup(
      publicKey: dealing.commitment.publicKey, threshold: 2,
      members: zip(keys, dealing.shares).map { .init(key: Keys.pair($0).publicKey, publicShare: $1.publicShare) })
    event = UnsignedEvent(pubkey: Keys.bob.publicKey, createdAt: 1000, kind: 1, tags: [["t", "x"]], content: "hello")
    let nonces = try dealing.shares.map { try $0.nonce().publicNonce }
    (self.nonces, share) = (nonces, dealing.shares[1])
    let contents: [CosignMessage.Content] = [
      .ask(.sign(event), expires: 2000), .commit(nonces[0]), .decline(.asking),
      .sign([.init(0, nonces[0]), .init(1, nonces[1])]),
      .part(.signature(Bytes32()), nonce: nonces[0], next: nonces[2]),
    ]
    let id = group.id
    messages = contents.map { CosignMessage(group: id, request: Bytes32(), $0) }
  }
}
