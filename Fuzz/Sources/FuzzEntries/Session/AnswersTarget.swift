import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning

extension FuzzTarget {
  /// The app's side of NIP-46: answers of the input's choosing, by the right signer and by others. Each request is answered once, and a
  /// shown link is paired by whoever knows its secret.
  static let answers = FuzzTarget("answers") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    if feed.bool() { try answered(&feed) } else { try shown(&feed) }
  }

  private static let now: Int64 = 1_750_000_000
  private static let signer = Cast.signers[0]
  private static let app = Cast.apps[0]

  private static func answered(_ feed: inout ByteFeed) throws(FuzzFault) {
    let link = BunkerURI(remoteSigner: signer.publicKey, relays: [SessionModel.relay], secret: "s")
    var client = RemoteSigner(link: link, client: app)
    var waiting: Set<String> = []
    for number in 0..<3 {
      let method = Method.allCases[feed.index(below: Method.allCases.count)]
      let id = Bytes32 { $0.storeBytes(of: UInt8(number), as: UInt8.self) }
      let request = try unfailing("a request is made") { () throws(RemoteSignerError) in
        try client.request(method, id: id, now: now)
      }
      waiting.insert(request.id)
    }
    let ids = waiting.sorted()
    for _ in 0..<4 where !feed.isEmpty {
      let isRight = feed.byte() != 0
      guard let event = answer(&feed, ids, by: isRight ? signer : Cast.signers[1]) else { continue }
      let reply = client.receive(event, now: now)
      try require(client.receive(event, now: now) == nil, "an event is read once")
      guard let reply else { continue }
      try require(isRight, "only the signer is listened to")
      switch reply {
      case .paired: throw FuzzFault("a pasted link pairs by its request")
      case .result(let id, _), .refused(let id, _): try require(waiting.remove(id) != nil, "a request is answered once")
      case .authorize(let id, _): try require(waiting.contains(id), "only a request under way is authorized")
      }
      try require((1...BunkerURI.maximumRelays).contains(client.relays.count), "a session has relays")
    }
  }

  private static func shown(_ feed: inout ByteFeed) throws(FuzzFault) {
    guard let uri = try? NostrConnectURI(parsing: "nostrconnect://\(app.publicKey.hex)?relay=ws%3A%2F%2Fr&secret=s3") else {
      return
    }
    var client = RemoteSigner(showing: uri, client: app)
    for _ in 0..<4 where !feed.isEmpty && client.remoteSigner == nil {
      let author = Cast.signers[feed.index(below: 2)]
      let body = feed.byte() == 1 ? Array(#"{"id":"x","result":"s3"}"#.utf8) : feed.shortBytes()
      guard let event = sealed(body, by: author) else { continue }
      let reply = client.receive(event, now: now)
      let said = (try? JSONValue(parsing: body))?["result"]?.string
      try require((reply == .paired) == (said == "s3"), "whoever knows the secret is the signer")
      try require(client.remoteSigner == (reply == .paired ? author.publicKey : nil), "and nobody else")
    }
  }

  /// An answer with a part of the input for each field.
  private static func answer(_ feed: inout ByteFeed, _ ids: [String], by author: KeyPair) -> Event? {
    if feed.byte() == 0xff { return sealed(feed.shortBytes(), by: author) }
    let id = feed.bool() ? ids[feed.index(below: ids.count)] : "unknown"
    var members: [JSONValue.Member] = [.init("id", .string(id))]
    switch feed.index(below: 4) {
    case 0: members.append(.init("result", .string("auth_url")))
    case 1: members.append(.init("result", .string(#"["wss://a","ws://b",1,"x"]"#)))
    case 2: members.append(.init("result", .string(String(decoding: feed.shortBytes(), as: UTF8.self))))
    default: members.append(.init("result", .null))
    }
    if feed.bool() { members.append(.init("error", .string(String(decoding: feed.shortBytes(), as: UTF8.self)))) }
    return sealed(JSONValue.object(members).serialized(), by: author)
  }

  private static func sealed(_ body: [UInt8], by author: KeyPair) -> Event? {
    guard let signer = Cast.signer(author.publicKey),
      let content = try? NIP44.encrypt(body, with: Cast.conversation(0, signer), nonce: Bytes32())
    else { return nil }
    let event = UnsignedEvent(
      pubkey: author.publicKey, createdAt: now, kind: 24133, tags: [["p", app.publicKey.hex]],
      content: String(decoding: content, as: UTF8.self))
    return try? event.signed(by: author, auxiliary: Bytes32())
  }
}
