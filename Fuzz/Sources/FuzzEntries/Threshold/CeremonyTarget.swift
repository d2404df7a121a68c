import Cosigning
import Curve
import Encodings
import Threshold

extension FuzzTarget {
  /// Ceremonies: invitations and messages as raw bytes, and a guest whose host says what it likes in any order.
  static let ceremony = FuzzTarget("ceremony") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    switch feed.index(below: 3) {
    case 0: try invitation(feed.remaining())
    case 1: try raw(feed.remaining())
    default: try host(&feed)
    }
  }

  private static func invitation(_ bytes: [UInt8]) throws(FuzzFault) {
    guard let invitation = CeremonyInvitation(String(decoding: bytes, as: UTF8.self)) else { return }
    try require(CeremonyInvitation(invitation.text) == invitation, "an invitation is read as it was written")
  }

  private static func raw(_ bytes: [UInt8]) throws(FuzzFault) {
    guard let message = try? CeremonyMessage(parsing: bytes) else { return }
    let again = try unfailing("what was read is written as a message") { try CeremonyMessage(parsing: message.json()) }
    try require(again.json() == message.json(), "a message is read as it was written")
  }

  /// The messages of a real ceremony, some with a byte changed. A guest stores one group at most, and uses none that it did not store.
  private static func host(_ feed: inout ByteFeed) throws(FuzzFault) {
    let table = Table.shared
    var guest = table.guest
    var stored: CosignGroup?
    for _ in 0..<feed.index(below: 12) {
      var text = table.messages[feed.index(below: table.messages.count)].json()
      if feed.bool() { text[(Int(feed.byte()) << 8 | Int(feed.byte())) % text.count] = feed.byte() }
      guard let message = try? CeremonyMessage(parsing: text) else { continue }
      switch try? guest.receive(message) {
      case .compare: _ = try? guest.confirm()
      case .store(let group, let share):
        try require(stored == nil, "a guest stores one group")
        try require(group.members[Int(share.identifier)].publicShare == share.publicShare, "the share is the group's")
        stored = group
        _ = guest.noteStored()
      case .use(let group): try require(group == stored, "a guest uses what it stored")
      default: break
      }
    }
  }
}

/// A ceremony of two that split a key, as its guest sees it. Made once; nobody's.
private struct Table {
  static let shared = try! Table()  // fixed numbers of members, and memory for them

  let guest: CeremonyGuest
  let messages: [CeremonyMessage]

  private init() throws {
    let (own, other) = (Keys.pair(31).publicKey, Keys.pair(32).publicKey)
    var host = try CeremonyHost(name: "x", way: .dealt, threshold: 2, members: 2, key: own, relays: ["ws://a"])
    guest = try CeremonyGuest(host.invitations[0], key: other)
    var (said, answering) = ([CeremonyMessage](), guest)
    var waiting = answering.message.map { [$0] } ?? []
    while !waiting.isEmpty {
      var actions = try host.receive(waiting.removeFirst(), from: other)
      while !actions.isEmpty {
        switch actions.removeFirst() {
        case .send(let message, _):
          said.append(message)
          switch try answering.receive(message) {
          case .compare: _ = try answering.confirm()
          case .store: _ = answering.noteStored()
          default: continue
          }
          waiting += answering.message.map { [$0] } ?? []
        case .compare: actions += try host.confirm()
        case .deal: actions += try host.deal(try Keys.bob.secretKey())
        case .store: actions += host.noteStored()
        case .use, .end: break
        }
      }
    }
    messages = said + [CeremonyMessage(said[0].ceremony, .ended(.calledOff))]
  }
}
