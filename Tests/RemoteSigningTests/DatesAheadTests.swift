import Curve
import Encodings
import Nostr
import RemoteSigning
import TestSupport
import Testing

/// Dates are an attacker's input: none may shut a place, or blind the comparison of follow lists.
@Suite struct DatesAheadTests {
  private static let author = PublicKey(Bytes32([UInt8](repeating: 200, count: 32))!)
  private static let now: Int64 = 1_750_000_000
  private static let lead = SigningTime.toleratedLead

  private static func event(_ kind: Int, at time: Int64, _ content: String = "", follows: Range<Int> = 0..<0) -> UnsignedEvent {
    let tags = follows.map { ["p", Bytes32([UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 32))!.hex] }
    return UnsignedEvent(pubkey: author, createdAt: time, kind: kind, tags: tags, content: content)
  }

  /// As an earlier version stored it.
  private static func older(_ signed: SignedCoordinate) throws -> SignedCoordinate {
    let text = String(decoding: signed.record, as: UTF8.self).replacing(",\"bounded\":true", with: "")
    return try SignedCoordinate(record: Array(text.utf8))
  }

  /// Signs a table of times as an earlier version did, which compared none with the clock.
  private static func poisoned(_ kind: Int, _ times: some Sequence<Int64>, follows: Range<Int> = 0..<0) throws -> SignedCoordinate
  {
    var signed = SignedCoordinate(identity: author, kind: kind)
    for time in times { _ = signed.add(event(kind, at: time, "\(time)", follows: follows), isApproved: true, now: time) }
    return try older(signed)
  }

  @Test(
    "No app can block a place by dating events ahead",
    arguments: [Int64(901), Int64(1) << 32, Int64(1) << 61, Int64.max - 1_750_000_000])
  func farDatesAreNotSigned(ahead: Int64) {
    var signed = SignedCoordinate(identity: Self.author, kind: 10_000)
    for number in 0..<65 {
      let time = Self.now + ahead - Int64(number % 2)
      guard time > Self.now + Self.lead else { continue }
      #expect(signed.add(Self.event(10_000, at: time, "\(number)"), isApproved: false, now: Self.now) == .taken)
    }
    #expect(signed == SignedCoordinate(identity: Self.author, kind: 10_000), "what is refused leaves no mark")
    #expect(signed.add(Self.event(10_000, at: Self.now), isApproved: false, now: Self.now) == .fresh)
  }

  @Test("Events dated a few minutes ahead do not block events dated now")
  func nearDatesLeaveRoom() {
    var signed = SignedCoordinate(identity: Self.author, kind: 10_000)
    var count = 0
    for number in 1...Self.lead
    where signed.add(Self.event(10_000, at: Self.now + number), isApproved: false, now: Self.now) == .fresh {
      count += 1
    }
    #expect(count == SignedCoordinate.maximumAhead)
    // Nor does what is dated now push out what was dated ahead: it would be signed twice.
    for second in 0..<4 {
      #expect(signed.add(Self.event(10_000, at: Self.now - Int64(second)), isApproved: false, now: Self.now) == .fresh)
    }
    #expect(
      signed.add(Self.event(10_000, at: Self.now + Int64(count), "other"), isApproved: false, now: Self.now) == .taken)
    for second in 0..<100 {
      let now = Self.now + Self.lead + 1 + Int64(second)
      #expect(signed.add(Self.event(10_000, at: now), isApproved: false, now: now) == .fresh)
      #expect((signed.floor ?? 0) <= now)
    }
    for second in 0..<10 {
      let past = Self.now - Int64(second)
      var other = SignedCoordinate(identity: Self.author, kind: 0)
      for number in 1...200 { _ = other.add(Self.event(0, at: past + Int64(number)), isApproved: false, now: past) }
      #expect(other.add(Self.event(0, at: past), isApproved: false, now: past) == .fresh, "now is free still")
    }
  }

  @Test("An approved event dated far ahead does not affect later events")
  func approvedFarDatesDoNotBlind() {
    var signed = SignedCoordinate(identity: Self.author, kind: 3)
    _ = signed.add(Self.event(3, at: Self.now, follows: 0..<100), isApproved: true, now: Self.now)
    #expect(signed.add(Self.event(3, at: 1 << 62, follows: 0..<2), isApproved: true, now: Self.now) == .fresh)
    #expect(signed.time(now: Self.now + 5) == Self.now + 5)
    let next = Self.event(3, at: Self.now + 10, follows: 0..<80)
    #expect(signed.add(next, isApproved: true, now: Self.now + 10) == .fresh)
    #expect(signed.latest?.tags.count == 80 && signed.follows?.keys.count == 80, "the guard sees the list of now")
    for number in 0..<200 { _ = signed.add(Self.event(3, at: (1 << 61) + Int64(number)), isApproved: true, now: Self.now + 20) }
    #expect(signed.add(Self.event(3, at: Self.now + 20, follows: 0..<80), isApproved: false, now: Self.now + 20) == .fresh)
    #expect(signed.add(Self.event(3, at: .max), isApproved: true, now: Self.now + 20) == .fresh)
    #expect(signed.time(now: .max) == .max && signed.time(now: 0) == 0, "no date traps")
  }

  @Test("An event kind that an app blocked under an earlier version is unblocked")
  func shutPlacesAreHealed() throws {
    var signed = try Self.poisoned(10_000, (0..<65).map { (1 << 61) + $0 })
    #expect(signed.add(Self.event(10_000, at: Self.now), isApproved: true, now: Self.now) == .taken, "shut")
    let isHealed = signed.heal(now: Self.now)
    #expect(isHealed)
    #expect(
      signed.add(Self.event(10_000, at: Self.now), isApproved: false, now: Self.now) == .taken, "of now, anything may have been")
    #expect(signed.add(Self.event(10_000, at: Self.now + 1), isApproved: false, now: Self.now + 1) == .fresh)
    var again = try SignedCoordinate(record: signed.record)
    let isHealedAgain = again.heal(now: 0)
    #expect(!isHealedAgain, "once")
  }

  @Test("After unblocking, a follow list dated 2^62 is not the baseline, and an honest one is")
  func poisonedBaselinesAreForgotten() throws {
    var alone = try Self.poisoned(3, [1 << 62], follows: 0..<1)
    _ = alone.heal(now: Self.now)
    #expect(alone.latest == nil && alone.follows == nil)

    var honest = SignedCoordinate(identity: Self.author, kind: 3)
    _ = honest.add(Self.event(3, at: Self.now, follows: 0..<100), isApproved: false, now: Self.now)
    var older = try Self.older(honest)
    let isTouched = older.heal(now: Self.now + 1)
    #expect(!isTouched && older.latest == honest.latest, "what is honest stays")
    _ = honest.add(Self.event(3, at: Self.now + 5_000, follows: 0..<95), isApproved: false, now: Self.now + 5_000)
    older = try Self.older(honest)
    _ = older.heal(now: Self.now + 10)
    #expect(older.latest == nil && older.follows?.keys.count == 100, "drops are counted from the earlier list")
  }

  @Test("A restored record keeps every timestamp that the backup had used", arguments: [1, 64, 130])
  func theFloorNeverSinks(count: Int) {
    var signed = SignedCoordinate(identity: Self.author, kind: 0)
    for number in 0..<64 { _ = signed.add(Self.event(0, at: Self.now - 1000 + Int64(number)), isApproved: true, now: Self.now) }
    signed = signed.closed(upTo: Self.now)
    for number in 1...count {
      let time = Self.now + Int64(number)
      #expect(signed.add(Self.event(0, at: time), isApproved: true, now: time) == .fresh)
    }
    #expect(signed.add(Self.event(0, at: Self.now - 500, "other"), isApproved: true, now: Self.now + 200) == .taken)
    #expect((signed.floor ?? 0) >= Self.now)
    #expect(signed.closed(upTo: Self.now - 5000).floor == signed.floor, "nor by an older clock")
  }
}
