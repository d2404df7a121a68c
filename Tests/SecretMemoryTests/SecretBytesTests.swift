import Foundation
import SecretMemory
import TestSupport
import Testing

@Suite struct SecretBytesTests {
  struct Refusal: Error, Equatable { let number: Int }

  @Test("Secret bytes hold what was written", arguments: [1, 16, 32, 127, 128, 129, 4095, 4096, 4097, 100_000])
  func holdsWhatWasWritten(count: Int) throws {
    var random = Repeatable(seed: UInt64(count))
    let bytes = random.bytes(count)
    let held = try bytes.withUnsafeBytes { try SecretBytes(copying: $0).array() }
    #expect(held == bytes)
  }

  @Test("Secret memory is zero before it is filled", arguments: [1, 128, 129, 5000])
  func isZeroBeforeItIsFilled(count: Int) throws {
    for _ in 0..<10 {
      let dirty = try SecretBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0xff) }
      _ = consume dirty
      #expect(try SecretBytes(count: count) { _ in }.array().allSatisfy { $0 == 0 })
    }
  }

  @Test("A secret must have at least one byte", arguments: [0, -1, Int.min])
  func hasAtLeastOneByte(count: Int) {
    #expect(throws: SecretBytesError<Never>.self) { _ = try SecretBytes(count: count) { _ in } }
  }

  @Test("An empty secret is refused") func emptySourcesAreRefused() {
    var empty: [UInt8] = []
    #expect(throws: SecretBytesError<Never>.self) { _ = try SecretBytes(wiping: &empty) }
    #expect(throws: SecretBytesError<Never>.self) { _ = try SecretBytes(copying: UnsafeRawBufferPointer(start: nil, count: 0)) }
  }

  @Test("A secret larger than the memory is refused") func moreThanThereIsIsRefused() {
    #expect(throws: SecretBytesError<Never>.self) { _ = try SecretBytes(count: Int.max) { _ in } }
    #expect(throws: SecretBytesError<Never>.self) { _ = try SecretBytes(count: 1 << 46) { _ in } }
  }

  @Test("An error while a secret is filled is passed on") func errorOfTheFillingIsPassedOn() {
    do {
      _ = try SecretBytes(count: 8) { (_) throws(Refusal) in throw Refusal(number: 7) }.count
      Issue.record("nothing was thrown")
    } catch {
      guard case .filling(let refusal) = error else { return #expect(Bool(false), "not the filling's error") }
      #expect(refusal.number == 7)
    }
  }

  @Test("Two secrets are equal only when every bit is equal", arguments: [1, 2, 32, 128, 200])
  func equalityIsThatOfEveryBit(count: Int) throws {
    var random = Repeatable(seed: 9)
    let bytes = random.bytes(count)
    let held = try secret(bytes)
    let same = try secret(bytes)
    #expect(held.equals(same) == true)
    for bit in 0..<count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let other = try secret(changed)
      #expect(held.equals(other) == false)
    }
    let longer = try secret(bytes + [0])
    #expect(held.equals(longer) == false)
    #expect(longer.equals(held) == false)
  }

  @Test("Secrets of different lengths are not equal") func runsOfBytesCompareByLengthToo() {
    let bytes: [UInt8] = [1, 2, 3]
    bytes.withUnsafeBytes { all in
      #expect(constantTimeEqual(all, all))
      #expect(!constantTimeEqual(all, UnsafeRawBufferPointer(rebasing: all[0..<2])))
      #expect(constantTimeEqual(UnsafeRawBufferPointer(rebasing: all[0..<0]), UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }

  @Test("A copy of a secret does not change with the original") func duplicateHasItsOwnLife() throws {
    var first = try secret([1, 2, 3])
    let second = try first.duplicate()
    first.mutate { $0[0] = 9 }
    #expect(first.array() == [9, 2, 3])
    #expect(second.array() == [1, 2, 3])
  }

  @Test("Random secrets differ from each other") func randomBytesDiffer() throws {
    let values = try (0..<100).map { _ in try SecretBytes(randomCount: 16).array() }
    #expect(Set(values).count == 100)
    #expect(Set(SystemRandom.bytes(4096)).count > 200)
    #expect(SystemRandom.bytes(0).isEmpty)
  }

  @Test("Thousands of secrets exist at once without touching each other")
  func thousandsLiveAtOnceWithoutTouchingEachOther() throws {
    let boxes = try (0..<3000).map { index in
      SecretBox(try secret([UInt8](repeating: UInt8(index % 251), count: 1 + index % 128)))
    }
    for (index, box) in boxes.enumerated() {
      #expect(box.withBytes { $0.allSatisfy { $0 == UInt8(index % 251) } && $0.count == 1 + index % 128 })
    }
  }

  @Test("Many threads can allocate and release secrets at once") func manyThreadsTakeAndGiveBack() {
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<300 {
        let held = try? SecretBytes(count: 64) { $0.initializeMemory(as: UInt8.self, repeating: UInt8(thread)) }
        let isWhole = held?.withBytes { $0.allSatisfy { $0 == UInt8(thread) } }
        #expect(isWhole == true, "thread \(thread), round \(round)")
      }
    }
  }

  @Test("Reading behind a large secret crashes the process") func guardPagesStandBehindLargeSecrets() async {
    await #expect(processExitsWith: .failure) {
      let held = try SecretBytes(randomCount: 4096)
      held.withBytes { bytes in
        let behind = bytes.baseAddress.map { UnsafeRawPointer($0) + 4096 }
        _ = behind.map { write(1, $0, 1) }  // the kernel refuses politely
        print(behind?.load(as: UInt8.self) ?? 0)
      }
    }
  }

  /// In a process of its own, where nobody else locks memory.
  @Test("Large and small secrets are locked in memory") func largeAndSmallSecretsAreLocked() async {
    await #expect(processExitsWith: .success) {
      func lockedKiB() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? -1
      }
      guard lockedKiB() == 0 else { exit(1) }
      let small = try SecretBytes(randomCount: 32)
      let after = lockedKiB()
      guard after >= 4 else { exit(2) }
      let large = try SecretBytes(randomCount: 40_000)
      guard lockedKiB() >= after + 40 else { exit(3) }
      exit(small.count + large.count == 40_032 ? 0 : 4)
    }
  }
}
