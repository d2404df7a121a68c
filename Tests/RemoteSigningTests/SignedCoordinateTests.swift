import Curve
import Encodings
import Nostr
import RemoteSigning
import TestSupport
import Testing

/// One time at one coordinate is signed once.
@Suite struct SignedCoordinateTests {
  private static let author = key(200)
  private static let now: Int64 = 1_750_000_000

  private static func key(_ number: UInt8) -> PublicKey { PublicKey(Bytes32([UInt8](repeating: number, count: 32))!) }

  private static func event(_ kind: Int, at time: Int64 = now, tags: [[String]] = [], _ content: String = "") -> UnsignedEvent {
    UnsignedEvent(pubkey: author, createdAt: time, kind: kind, tags: tags, content: content)
  }

  private static func follows(_ numbers: some Sequence<Int>, at time: Int64 = now) -> UnsignedEvent {
    event(3, at: time, tags: numbers.map { ["p", key(UInt8(truncatingIfNeeded: $0)).hex] })
  }

  @Test("A date that was signed is not signed again with other content") func theSameTimeWithOtherContentIsTaken() {
    var signed = SignedCoordinate(identity: Self.author, kind: 0)
    #expect(signed.add(Self.event(0, "a"), isApproved: false, now: Self.now) == .fresh)
    #expect(signed.add(Self.event(0, "a"), isApproved: false, now: Self.now) == .again)
    let before = signed
    #expect(signed.add(Self.event(0, "b"), isApproved: true, now: Self.now) == .taken)
    #expect(signed.add(Self.event(0, tags: [["x"]], "a"), isApproved: true, now: Self.now) == .taken)
    #expect(signed == before, "what is refused leaves no mark")
    #expect(signed.add(Self.event(0, at: Self.now + 1, "b"), isApproved: false, now: Self.now) == .fresh)
    #expect(signed.add(Self.event(0, "b"), isApproved: false, now: Self.now) == .taken, "the older time stays taken")
  }

  /// For any order of requests no time is ever given to two events, also when more come than are remembered.
  @Test("No date is given to two events, however many come") func noTimeIsSignedTwiceHoweverManyCome() throws {
    var random = Repeatable(seed: 3)
    for _ in 0..<20 {
      var signed = SignedCoordinate(identity: Self.author, kind: 10_002)
      var contents: [Int64: String] = [:]
      for _ in 0..<400 {
        let (time, content) = (Self.now + Int64.random(in: 0..<120, using: &random), "\(Int.random(in: 0..<3, using: &random))")
        if Int.random(in: 0..<10, using: &random) == 0 { signed = try SignedCoordinate(record: signed.record) }
        switch signed.add(Self.event(10_002, at: time, content), isApproved: false, now: Self.now) {
        case .fresh, .again: #expect(contents.updateValue(content, forKey: time) ?? content == content, "seed 3")
        case .taken: break
        }
        #expect(signed.signatures.count <= SignedCoordinate.maximumSignatures)
      }
    }
  }

  @Test("Each author, kind and d tag is a place of its own") func coordinatesAreApart() {
    let one = SignedCoordinate.id(of: Self.event(30_023, tags: [["d", "one"]]))
    #expect(
      one != nil && one == SignedCoordinate.id(of: Self.event(30_023, at: 1, tags: [["t", "x"], ["d", "one"], ["d", "two"]])))
    #expect(one != SignedCoordinate.id(of: Self.event(30_023, tags: [["d", "two"]])))
    #expect(one != SignedCoordinate.id(of: Self.event(30_024, tags: [["d", "one"]])))
    #expect(SignedCoordinate.id(of: Self.event(0, tags: [["d", "one"]])) == SignedCoordinate.id(identity: Self.author, kind: 0))
    #expect(SignedCoordinate.id(of: Self.event(30_023)) == SignedCoordinate.id(of: Self.event(30_023, tags: [["d", ""]])))
    #expect(
      SignedCoordinate.id(of: Self.event(30_023)) == SignedCoordinate.id(of: Self.event(30_023, tags: [["d"], ["d", "one"]])),
      "relays look at the first one")
    for kind in [1, 5, 7, 22_242, 27_235, 9_999, 20_000, 40_000] { #expect(SignedCoordinate.id(of: Self.event(kind)) == nil) }
  }

  @Test("An event without a date is dated after the latest one") func anEventWithoutTimeComesAfterTheLatest() {
    var signed = SignedCoordinate(identity: Self.author, kind: 0)
    #expect(signed.time(now: Self.now) == Self.now)
    for number in 0..<3 {
      #expect(signed.add(Self.event(0, at: signed.time(now: Self.now), "\(number)"), isApproved: false, now: Self.now) == .fresh)
    }
    #expect(signed.signatures.map(\.createdAt) == [Self.now, Self.now + 1, Self.now + 2])
    _ = signed.add(Self.event(0, at: Self.now + 100_000, "far"), isApproved: true, now: Self.now)
    #expect(signed.time(now: Self.now) == Self.now + 3, "one of next week does not pull all others there")
  }

  // MARK: what a new list is compared with

  /// Many small drops in a day count together; a yes of the owner, or a day, starts anew.
  @Test("Small removals from a follow list add up") func smallDropsAddUp() {
    var signed = SignedCoordinate(identity: Self.author, kind: 3)
    func change(_ numbers: Range<Int>) -> FollowChange {
      FollowChange(from: signed.follows, to: FollowList(tags: Self.follows(numbers).tags))
    }
    #expect(change(0..<100) == .unknown)
    _ = signed.add(Self.follows(0..<100), isApproved: false, now: Self.now)
    _ = signed.add(Self.follows(8..<100, at: Self.now + 1), isApproved: false, now: Self.now + 1)
    #expect(change(16..<100) == .change(before: 100, dropped: 16, kept: 84))
    #expect(change(8..<100) == .change(before: 100, dropped: 8, kept: 92))
    _ = signed.add(Self.follows(12..<100, at: Self.now + 2), isApproved: false, now: Self.now + 2)
    #expect(change(16..<100) == .change(before: 100, dropped: 16, kept: 84))
    _ = signed.add(Self.follows(16..<100, at: Self.now + 3), isApproved: true, now: Self.now + 3)
    #expect(change(16..<100) == .change(before: 84, dropped: 0, kept: 84))
    let later = Self.now + 3 + SignedCoordinate.referencePeriod
    _ = signed.add(Self.follows(20..<100, at: later), isApproved: false, now: later)
    #expect(change(20..<100) == .change(before: 84, dropped: 4, kept: 80), "the day begins with what stood before it")
  }

  /// An app cannot hide behind new names that nobody of the old list is left.
  @Test("A follow list of one that is replaced by others keeps nobody") func aReplacedListKeepsNobody() {
    let one = FollowList(tags: Self.follows(0..<1).tags)
    let replaced = FollowChange(from: one, to: FollowList(tags: Self.follows(1..<21).tags))
    #expect(replaced == .change(before: 1, dropped: 1, kept: 0))
    var signed = SignedCoordinate(identity: Self.author, kind: 3)
    _ = signed.add(Self.follows(0..<2), isApproved: true, now: Self.now)
    _ = signed.add(Self.follows(0..<22, at: Self.now + 1), isApproved: false, now: Self.now + 1)
    let inTwoSteps = FollowChange(from: signed.follows, to: FollowList(tags: Self.follows(2..<22).tags))
    #expect(inTwoSteps == .change(before: 2, dropped: 2, kept: 0), "who was added today does not count as kept")
    let joined = FollowChange(from: one, to: FollowList(tags: Self.follows(0..<21).tags))
    #expect(joined == .change(before: 1, dropped: 0, kept: 1))
  }

  /// Who was added since the list that drops are counted from is not free to be dropped.
  @Test("People added today count as followed, too") func whoWasAddedTodayCountsToo() {
    var signed = SignedCoordinate(identity: Self.author, kind: 3)
    _ = signed.add(Self.follows(0..<10), isApproved: false, now: Self.now)
    _ = signed.add(Self.follows(0..<50, at: Self.now + 1), isApproved: false, now: Self.now + 1)
    let wiped = FollowChange(from: signed.follows, to: FollowList(tags: Self.follows(0..<10).tags))
    #expect(wiped == .change(before: 10, dropped: 40, kept: 10))
  }

  /// Thousands that are added first do not make the old ones a small share.
  @Test("Adding many follows does not hide that old ones are removed") func addingManyDoesNotHideThatTheOldOnesAreDropped() {
    for day in [0, SignedCoordinate.referencePeriod] {
      var signed = SignedCoordinate(identity: Self.author, kind: 3)
      _ = signed.add(Self.follows(0..<10), isApproved: false, now: Self.now)
      let later = Self.now + day + 1
      _ = signed.add(Self.follows(0..<200, at: later), isApproved: false, now: later)
      let change = FollowChange(from: signed.follows, to: FollowList(tags: Self.follows(10..<200).tags))
      #expect(change == .change(before: 10, dropped: 10, kept: 0))
    }
  }

  /// An older list that is signed late does not become the one to compare with.
  @Test("An older list that is signed late is not used for comparison") func anOlderListIsNotTheLatest() {
    var signed = SignedCoordinate(identity: Self.author, kind: 3)
    _ = signed.add(Self.follows(0..<50), isApproved: true, now: Self.now)
    _ = signed.add(Self.follows(0..<1, at: Self.now - 500), isApproved: true, now: Self.now)
    #expect(signed.latest?.tags.count == 50 && signed.follows?.keys.count == 50)
  }

  @Test("The stored record is read back as it was written") func theRecordIsReadAsItWasWritten() throws {
    var signed = SignedCoordinate(identity: Self.author, kind: 3)
    #expect(try SignedCoordinate(record: signed.record) == signed)
    for number in 0..<80 {
      let time = Self.now + Int64(number)
      _ = signed.add(Self.follows(0..<number + 5, at: time), isApproved: false, now: time)
    }
    #expect(signed.floor == Self.now + 15)
    #expect(try SignedCoordinate(record: signed.record) == signed)
  }

  @Test("The last list of each kind is kept for comparison, sets of which there may be many are not") func listsAreKept() {
    func keeps(_ kind: Int, _ content: String = "x") -> Bool {
      var signed = SignedCoordinate(identity: Self.author, kind: kind)
      _ = signed.add(Self.event(kind, content), isApproved: false, now: Self.now)
      return signed.latest?.content == content
    }
    for kind in [0, 3, 10000, 10002, 10003, 10009, 10050] { #expect(keeps(kind), "\(kind)") }
    for kind in [10019, 10500, 30000, 30003] { #expect(!keeps(kind), "\(kind)") }
    #expect(!keeps(10003, String(repeating: "x", count: SignedCoordinate.maximumListBaseline + 1)))
  }

  @Test("A very large event is not kept for comparison") func aHugeEventIsNotKeptToCompareWith() {
    var signed = SignedCoordinate(identity: Self.author, kind: 0)
    let huge = String(repeating: "x", count: SignedCoordinate.maximumBaseline + 1)
    #expect(signed.add(Self.event(0, huge), isApproved: false, now: Self.now) == .fresh)
    #expect(signed.latest == nil && signed.signatures.count == 1)
    #expect(signed.add(Self.event(0, "small"), isApproved: false, now: Self.now) == .taken)
  }
}
