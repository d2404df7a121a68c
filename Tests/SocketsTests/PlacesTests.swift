import Testing

@testable import Sockets

/// Who keeps a place when there are too many for them.
@Suite struct PlacesTests {
  private let one = Holder.processes(uid: 1, group: 0)
  private let other = Holder.processes(uid: 2, group: 0)
  private let limits = Places<Int>.Limits(places: 6, strangersPerHolder: 4)

  private func filled(_ holders: [Holder]) -> Places<Int> {
    let places = Places<Int>()
    for (number, holder) in holders.enumerated() { places.enter(number, holder) }
    return places
  }

  private func room(
    _ places: Places<Int>, for holder: Holder, now: Int64 = 0, _ use: (Int) -> Places<Int>.Use = { _ in .none }
  ) -> String {
    switch places.room(for: holder, limits, now: now, use: use) {
    case .free: "free"
    case .instead(let id): "\(id)"
    case .none: "none"
    }
  }

  @Test("A connection is accepted until all places are taken") func hasRoom() {
    #expect(room(filled([one, one, one]), for: one) == "free")
    #expect(room(filled([one, one, one, other, other, other]), for: one) == "0")
  }

  @Test("One holder's unknown connections are limited before all places are taken") func limitsEachHolder() {
    let places = filled([one, one, one, one])
    #expect(room(places, for: one) == "0")
    places.leave(0)
    places.enter(4, one)
    #expect(room(places, for: one) == "1")
    #expect(room(places, for: other) == "free")
  }

  @Test("The holder with the most connections loses its oldest one first") func takesFromTheLargest() {
    let places = filled([other, one, one, one, one, other])
    #expect(room(places, for: other) == "1")
    #expect(places.count == 5)
    places.leave(1)
    places.enter(6, other)
    #expect(places.count == 6)
    #expect(room(places, for: .unknown) == "0", "three each, and this one came first")
  }

  @Test("A useful connection is kept, and a newer one is closed instead") func keepsWhoIsOfUse() {
    let places = filled([one, one, one, other, other, other])
    #expect(room(places, for: other) { $0 == 1 ? .none : .lasting } == "1")
  }

  @Test("When all connections are useful, a new one is refused") func refusesWhenAllAreUseful() {
    let places = filled([one, one, one, other, other, other])
    #expect(room(places, for: other) { _ in .lasting } == "none")
    #expect(room(places, for: other) { _ in .lasting } == "none")
    #expect(places.count == 6)
  }

  @Test("A useful connection is checked again later") func asksAgain() {
    let places = filled([one, one, one, other, other, other])
    #expect(room(places, for: other, now: 0) { _ in .lasting } == "none")
    #expect(room(places, for: other, now: 500) == "none")
    #expect(room(places, for: other, now: 2_000) { $0 == 4 ? .none : .lasting } == "4")
  }

  @Test("A connection that waits for an answer is not closed to make room") func waitsForWhatPasses() {
    let places = filled([one, one, one, other, other, other])
    #expect(room(places, for: other) { $0 == 2 ? .none : .passing } == "2")
    places.leave(2)
    places.enter(6, one)
    #expect(room(places, for: other) { _ in .passing } == "none")
    #expect(room(places, for: other) == "0")
  }

  @Test("A connection whose real holder becomes known counts for that holder") func movesToAnotherHolder() {
    let places = filled([one, one, one, one])
    places.move(0, to: other)
    #expect(room(places, for: one) == "free")
    places.move(0, to: one)
    #expect(room(places, for: one) == "1", "it is the newest now")
  }

  /// Whatever comes and goes, the numbers stay right and memory bounded.
  @Test("The count stays consistent under random changes", arguments: 1...20) func staysConsistent(seed: UInt64) {
    var random = SeededNumbers(seed)
    let places = Places<Int>()
    var present: Set<Int> = []
    let holders = [one, other, .unknown]
    for number in 0..<2_000 {
      let holder = holders[random.next(3)]
      switch random.next(4) {
      case 0: if let gone = present.randomElement(using: &random) { places.leave(gone); present.remove(gone) }
      case 1: if let moved = present.randomElement(using: &random) { places.move(moved, to: holder) }
      default:
        let room = places.room(for: holder, limits, now: Int64(number)) {
          $0 % 3 == 0 ? .lasting : $0 % 7 == 0 ? .passing : .none
        }
        switch room {
        case .none: continue
        case .instead(let id):
          #expect(present.contains(id) && id % 3 != 0)
          places.leave(id)
          present.remove(id)
        case .free: break
        }
        places.enter(number, holder)
        present.insert(number)
      }
      #expect(places.count == present.count && present.count <= 6)
    }
  }
}

/// Numbers that are the same in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
  mutating func next(_ below: Int) -> Int { Int(next() % UInt64(below)) }
}
