import Foundation
import TestSupport
import Testing

@testable import SecretMemory

/// Wiped on every path. Memory is looked at after its release: small secrets lie in an arena that stays mapped, so a forgotten wipe
/// is seen at the old address; for the rest all memory of the process is searched.
@Suite(.serialized) struct WipingTests {
  struct Refusal: Error {}

  @Test("A small secret is wiped when it goes out of scope", arguments: [8, 31, 32, 127, 128])
  func smallSecretIsWipedWhenItGoesOutOfScope(count: Int) throws {
    let seen = try leaveBehind(count: count)
    #expect(seen.before)
    #expect(!seen.after)
  }

  private func leaveBehind(count: Int) throws -> (before: Bool, after: Bool) {
    var address: UnsafeRawPointer?
    var before = false
    do {
      let held = try SecretBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0xa5) }
      held.withBytes {
        address = $0.baseAddress
        before = $0.allSatisfy { $0 == 0xa5 }
      }
    }
    return (before, stillThere(address, count))
  }

  @Test("A small secret is wiped when filling it fails", arguments: [8, 32, 128])
  func smallSecretIsWipedWhenItsInitializerThrows(count: Int) {
    var address: UnsafeRawPointer?
    #expect(throws: SecretBytesError<Refusal>.self) {
      _ = try SecretBytes(count: count) { (buffer) throws(Refusal) in
        buffer.initializeMemory(as: UInt8.self, repeating: 0xa5)
        address = UnsafeRawPointer(buffer.baseAddress)
        throw Refusal()
      }
    }
    #expect(!stillThere(address, count))
  }

  @Test("The memory of a large secret is released when filling it fails", arguments: [129, 4096, 10_000])
  func largeSecretIsUnmappedWhenItsInitializerThrows(count: Int) {
    let gone = isGone {
      var address: UnsafeRawPointer?
      _ = try? SecretBytes(count: count) { (buffer) throws(Refusal) in
        address = UnsafeRawPointer(buffer.baseAddress)
        #expect(isMapped(address))
        throw Refusal()
      }.count
      return address
    }
    #expect(gone)
  }

  @Test("The memory of a large secret is released when it goes out of scope") func largeSecretIsUnmappedWhenItGoesOutOfScope() {
    let gone = isGone {
      let held = try? SecretBytes(randomCount: 10_000)
      return held?.withBytes {
        #expect(isMapped($0.baseAddress))
        return $0.baseAddress
      }
    }
    #expect(gone)
  }

  @Test("A shared secret stays until its last owner is gone") func consumedSecretIsWipedWithItsLastOwner() throws {
    var address: UnsafeRawPointer?
    var box: SecretBox? = SecretBox(try SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: 0xa5) })
    box?.withBytes { address = $0.baseAddress }
    let second = box
    box = nil
    second?.withBytes { #expect($0.allSatisfy { $0 == 0xa5 }) }
    withExtendedLifetime(second) { #expect(stillThere(address, 32)) }
  }

  @Test("Returned secret memory is wiped before it is used again") func arenaWipesWhatComesBackAndLendsZeros() throws {
    let arena = SecretArena()
    let slot = try #require(arena.take())
    memset(slot, 0xa5, SecretArena.slotSize)
    arena.giveBack(slot)
    #expect(UnsafeRawBufferPointer(start: slot, count: SecretArena.slotSize).allSatisfy { $0 == 0 })
    let again = try #require(arena.take())
    #expect(again == slot)
    let others = try (0..<200).map { _ in try #require(arena.take()) }
    #expect(Set(others + [again]).count == 201)
    for other in others {
      #expect(UnsafeRawBufferPointer(start: other, count: SecretArena.slotSize).allSatisfy { $0 == 0 })
    }
  }

  @Test("An array that becomes a secret is wiped") func arrayThatIsTakenOverIsWiped() throws {
    var plain = [UInt8](repeating: 0xa5, count: 1000)
    let address = plain.withUnsafeBytes { $0.baseAddress }
    plain.withUnsafeMutableBytes { wipe($0) }
    #expect(plain.withUnsafeBytes { $0.baseAddress } == address)  // the storage itself, not a copy of it
    #expect(plain.allSatisfy { $0 == 0 })
    var taken: [UInt8] = [1, 2, 3]
    let held = try SecretBytes(wiping: &taken)
    #expect(taken.isEmpty)
    #expect(held.array() == [1, 2, 3])
  }

  /// All memory of the process is searched, while the canary lives and after.
  @Test("A secret that was used leaves no copy in memory", arguments: [UInt64(1), 2, 3])
  func nothingIsLeftOfASecretThatWasUsed(seed: UInt64) throws {
    let canary = Canary(seed &* 0x1234_5678_9abc)
    #expect(MemoryScan.occurrences(of: canary) == 0)
    do {
      let held = try SecretBytes(count: Canary.length) { canary.plant(in: $0) }
      #expect(MemoryScan.occurrences(of: canary) == 1)
      let twin = try held.duplicate()
      #expect(held.equals(twin) == true)
      var large = try SecretBytes(count: 5000) { canary.plant(in: UnsafeMutableRawBufferPointer(rebasing: $0[100...])) }
      #expect(MemoryScan.occurrences(of: canary) == 3)
      large.mutate { wipe($0) }
      #expect(MemoryScan.occurrences(of: canary) == 2)
      var array = (0..<Canary.length).map(canary.byte)
      #expect(MemoryScan.occurrences(of: canary) == 3)
      let taken = try SecretBytes(wiping: &array)
      #expect(MemoryScan.occurrences(of: canary) == 3)
      let box = SecretBox(taken)
      let third = try box.duplicate()
      #expect(MemoryScan.occurrences(of: canary) == 4)
      #expect(third.equals(held) == true)
    }
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }

  @Test("A secret whose filling failed leaves no copy in memory") func nothingIsLeftAfterAThrowingInitializer() {
    let canary = Canary(77)
    var alive = 0
    for count in [Canary.length, 4096] {
      _ = try? SecretBytes(count: count) { (buffer) throws(Refusal) in
        canary.plant(in: buffer)
        alive += MemoryScan.occurrences(of: canary)
        throw Refusal()
      }.count
    }
    #expect(alive == 2)
    #expect(MemoryScan.occurrences(of: canary) == 0)
  }

  @Test("Control: the memory search finds an ordinary array") func controlAnOrdinaryArrayIsFound() {
    let canary = Canary(78)
    let array = (0..<Canary.length).map(canary.byte)
    withExtendedLifetime(array) { #expect(MemoryScan.occurrences(of: canary) >= 1) }
  }

  /// Whether the pattern still stands at an address that was given back. Another test may have taken it: then other bytes stand there.
  private func stillThere(_ address: UnsafeRawPointer?, _ count: Int) -> Bool {
    guard let address else { return true }
    return UnsafeRawBufferPointer(start: address, count: count).contains(0xa5)
      && UnsafeRawBufferPointer(start: address, count: count).allSatisfy { $0 == 0xa5 }
  }

  /// Whether nothing is mapped where a secret was. Another thread may map something there at once: then the next try shows it.
  private func isGone(_ use: () -> UnsafeRawPointer?) -> Bool { (0..<50).contains { _ in !isMapped(use()) } }

  private func isMapped(_ address: UnsafeRawPointer?) -> Bool {
    guard let address else { return true }
    let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: address) & ~4095)
    // msync asks without reading: it fails with ENOMEM for memory that is not there.
    return msync(page, 1, MS_ASYNC) == 0
  }
}
