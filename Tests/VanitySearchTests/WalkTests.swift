import Curve
import Encodings
import SecretMemory
import Testing

@testable import VanitySearch

/// A walk shows the keys that libsecp256k1 makes, all of them and no other.
struct WalkTests {
  /// The group's order less some, big-endian.
  static func nearTheOrder(_ less: UInt8) throws -> SecretKey {
    var bytes = try #require(Hex.decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141".utf8))
    bytes[31] -= less
    return try SecretKey(SecretBytes(wiping: &bytes))
  }

  /// Walks some batches and compares each shown x with the key of its place.
  /// - Returns: the offsets that were shown, in order.
  @discardableResult
  static func check(from start: consuming SecretKey, reach: Int, batches: Int) throws -> [UInt64] {
    let multiples = try Multiples(reach: reach)
    var walk = try Walk(from: start, by: multiples)
    var seen: [UInt64] = []
    for _ in 0..<batches {
      var shown: [(Bytes32, Walk.Place)] = []
      try walk.batch { x, place in shown.append((x.bytes, place)) }
      for (x, place) in shown {
        #expect(try KeyPair(walk.key(at: place)).publicKey.bytes == x, "\(place)")
        if place.power == 0 { seen.append(place.offset) }
      }
      #expect(shown.count == 3 * Set(shown.map(\.1.offset)).count)
    }
    return seen.sorted()
  }

  @Test("A search visits every key of its path once", arguments: [1, 2, 3, 7, 64])
  func everyKeyOfTheWalkIsShownOnceAndRight(reach: Int) throws {
    let batches = max(2, 200 / reach)
    let seen = try Self.check(from: SecretKey.random(), reach: reach, batches: batches)
    #expect(seen == (0..<UInt64(batches * (2 * reach + 1))).map { $0 })
  }

  /// The centre is one of the multiples themselves: doubling, and no slope.
  @Test("A search that starts at a very small key visits the right keys", arguments: [1, 2, 3, 4, 5, 8, 16, 17])
  func aStartAmongTheMultiplesIsWalkedRightly(start: UInt64) throws {
    let seen = try Self.check(from: SecretKey(Multiples.offset(start)), reach: 8, batches: 4)
    #expect(seen == (0..<68).map { UInt64($0) })
  }

  /// The walk crosses the end of the group: infinity is left out, and what follows is the key 1, 2 …
  @Test("A search continues past the end of the group", arguments: [1, 3, 7, 9, 12, 16])
  func infinityIsNoKeyAndEndsNothing(less: UInt8) throws {
    guard less != 8 else { return }
    let seen = try Self.check(from: Self.nearTheOrder(less), reach: 8, batches: 3)
    #expect(seen == (0..<51).filter { $0 != Int(less) }.map { UInt64($0) })
  }

  @Test("A search that cannot start at its point reports it") func aCentreAtInfinityIsSaid() throws {
    let multiples = try Multiples(reach: 8)
    #expect(throws: CurveError.tweakOutOfRange) { _ = try Walk(from: Self.nearTheOrder(8), by: multiples) }
    // And as the next centre, behind a good batch.
    var walk = try Walk(from: Self.nearTheOrder(25), by: multiples)
    #expect(throws: CurveError.tweakOutOfRange) { try walk.batch { _, _ in } }
  }

  /// The real size, across many batches, each seventh key compared.
  @Test("A search of the real size finds the same keys as the library") func theRealSizeAgreesWithTheLibrary() throws {
    var walk = try Walk(from: SecretKey.random(), by: Multiples(reach: VanitySearch.reach))
    for _ in 0..<3 {
      var shown: [(FieldElement, Walk.Place)] = []
      try walk.batch { x, place in shown.append((x, place)) }
      #expect(shown.count == walk.keysPerBatch)
      for (x, place) in shown where place.offset % 7 == 0 {
        #expect(try KeyPair(walk.key(at: place)).publicKey.bytes == x.bytes, "\(place)")
      }
    }
  }
}
