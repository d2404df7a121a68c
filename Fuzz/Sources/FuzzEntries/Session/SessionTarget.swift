import Curve
import Nostr
import RemoteSigning

extension FuzzTarget {
  /// The NIP-46 session. The input is a list of steps: requests by paired and unpaired apps with bodies of the input's choosing, replays,
  /// jumps of the clock, the owner's answers, pairings stored or not, changed grants, restarts. After each step everything that was
  /// promised is checked (SessionModel.swift, SessionChecks.swift).
  static let session = FuzzTarget("session") { (bytes) throws(FuzzFault) in
    var feed = ByteFeed(bytes)
    var session = Session()
    for _ in 0..<maximumSteps where !feed.isEmpty {
      try session.step(&feed)
      try session.checkState()
    }
  }

  private static let maximumSteps = 48
}

/// An engine, the owner's storage around it, and what should be true of both.
struct Session {
  static let start: Int64 = 1_750_000_000
  var engine = SigningEngine()
  var model = SessionModel()
  var now = Session.start { didSet { furthest = max(furthest, now) } }
  /// The latest time there was at all: clocks are set back.
  private(set) var furthest = Session.start
  /// The latest time since the log was last asked for ids.
  var latest = Session.start
  var history: [Event] = []
  var offers: [Exchange] = []
  var readBack = ReadBack()

  init() {
    engine.setIdentities(Cast.identities)
    // Most steps need a pairing, so there is one from the start: app 0 with identity 0, by signer 0, medium trust.
    open(signer: 0, identity: 0, .medium, lifetime: 86_400)
    let pairing = Pairing(
      remoteSigner: Cast.signers[0].publicKey, client: Cast.apps[0].publicKey, identity: Cast.identities[0].publicKey,
      pairedAt: now, name: "first", grant: Grant(trust: .medium), relays: [SessionModel.relay])
    engine.add(pairing, signer: Cast.signers[0], now: now)
    model.servedKeys[pairing.remoteSigner] = .paired(pairing)
  }

  mutating func step(_ feed: inout ByteFeed) throws(FuzzFault) {
    switch feed.index(below: 16) {
    case 0, 1, 2, 3: try request(&feed)
    case 4: try connect(&feed)
    case 5: try replay(&feed)
    case 6: jump(&feed)
    case 7, 8: try answerPending(&feed)
    case 9: try settle(feed.index(below: max(offers.count, 1)), stores: feed.bool())
    case 10: openLink(&feed)
    case 11: try changeGrant(&feed)
    case 12: try close(Cast.signers[feed.index(below: Cast.signers.count)].publicKey)
    case 13: try restart()
    case 14: try anyEvent(&feed)
    default: try other(&feed)
    }
  }

  private mutating func other(_ feed: inout ByteFeed) throws(FuzzFault) {
    switch feed.index(below: 5) {
    case 0: engine.setIdentities([])
    case 1: engine.setIdentities(Cast.identities)
    case 2:
      let dropped = engine.expirePending(now: now)
      let limit = PendingRequest.lifetime
      let now = now
      try require(dropped.allSatisfy { now - $0.receivedAt > limit }, "only what waited too long is dropped")
    case 3: try acceptLink(&feed)
    default: try burst(&feed)
    }
  }

  // MARK: what apps send

  private mutating func request(_ feed: inout ByteFeed) throws(FuzzFault) {
    let (app, signer) = (feed.index(below: Cast.apps.count), feed.index(below: Cast.signers.count))
    // Most requests go where they have a chance.
    let paired = model.pairing(at: Cast.signers[signer].publicKey).flatMap { Cast.app($0.client) }
    let author = app == 3 ? app : paired ?? app
    let body = RequestMaker.body(&feed, signer: signer, now: now)
    try send(body, from: author, to: signer, &feed)
  }

  /// More requests at once than may wait for one app, each of which the owner is asked for.
  private mutating func burst(_ feed: inout ByteFeed) throws(FuzzFault) {
    let signer = feed.index(below: Cast.signers.count)
    guard let app = model.pairing(at: Cast.signers[signer].publicKey).flatMap({ Cast.app($0.client) }) else { return }
    for number in 0...PendingRequest.maximumPerClient {
      let body = #"{"id":"b","method":"sign_event","params":["{\"kind\":0,\"content\":\"\#(number)\"}"]}"#
      guard let event = RequestMaker.event(Array(body.utf8), from: app, to: signer, now: now) else { return }
      try deliver(event, recording: true)
    }
  }

  private mutating func connect(_ feed: inout ByteFeed) throws(FuzzFault) {
    let (app, signer) = (feed.index(below: Cast.apps.count), feed.index(below: Cast.signers.count))
    // The storage finishes one pairing of an app before it takes another.
    while let index = offers.firstIndex(where: { $0.client == Cast.apps[app].publicKey }) { try settle(index, stores: true) }
    let secrets = [
      "", SessionModel.secret(signer), SessionModel.secret(signer), SessionModel.secret((signer + 1) % Cast.signers.count),
    ]
    let body = RequestMaker.connect(&feed, signer: signer, secret: secrets[feed.index(below: secrets.count)])
    try send(body, from: app, to: signer, &feed)
  }

  private mutating func send(_ body: [UInt8], from app: Int, to signer: Int, _ feed: inout ByteFeed) throws(FuzzFault) {
    guard let event = RequestMaker.event(body, from: app, to: signer, &feed, now: now) else { return }
    history.append(event)
    try deliver(event, recording: feed.byte() != 0xff)
  }

  private mutating func replay(_ feed: inout ByteFeed) throws(FuzzFault) {
    guard !history.isEmpty else { return }
    try deliver(history[feed.index(below: history.count)], recording: true)
  }

  /// An event with tags, kind and content of the input's choosing.
  private mutating func anyEvent(_ feed: inout ByteFeed) throws(FuzzFault) {
    let (app, signer) = (Cast.apps[feed.index(below: 4)], Cast.signers[feed.index(below: 8)])
    let tags = [["p", signer.publicKey.hex], ["p"], ["p", String(decoding: feed.shortBytes(), as: UTF8.self)], []]
    let event = UnsignedEvent(
      pubkey: app.publicKey, createdAt: now, kind: feed.bool() ? 24133 : 1, tags: Array(tags.prefix(feed.index(below: 5))),
      content: String(decoding: feed.shortBytes(), as: UTF8.self))
    guard let event = try? event.signed(by: feed.bool() ? app : signer) else { return }
    switch engine.receive(event, isVerified: false, now: now) {
    case .dropped: return
    case .refused, .held, .decided: throw FuzzFault("nobody guesses a request")
    }
  }

  // MARK: the clock

  private mutating func jump(_ feed: inout ByteFeed) {
    let units: [Int64] = [1, 60, 3600, 86_400 * 30]
    let jump = Int64(feed.int16()) * units[feed.index(below: units.count)]
    now = min(max(now + jump, 0), 1 << 40)
    // As the daemon does: a step of two seconds in all is nothing, for anything more the log is asked.
    if now < latest - SeenEvents.toleratedStep {
      model.restoreSeen(into: engine)
      latest = now
    }
    latest = max(latest, now)
  }
}
