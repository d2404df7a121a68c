import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct RevocationListTests {
  private static let vault = [UInt8](repeating: 3, count: 16)

  private func key(_ byte: UInt8 = 1) throws -> SecretBox { try box([UInt8](repeating: byte, count: 32)) }

  private func list(_ count: Int) -> RevocationList {
    RevocationList(
      number: 7, writtenAt: 9_000,
      entries: (0..<count).reversed().map {
        RevocationList.Entry(
          key: [UInt8($0 >> 8), UInt8($0 & 255)] + [UInt8](repeating: 5, count: 30), time: Int64($0), ending: 1)
      })
  }

  @Test("An encrypted list can be opened", arguments: [0, 1, 98, 99, 100, 4000]) func whatIsSealedOpens(count: Int) throws {
    let list = list(count)
    let bytes = try list.sealed(for: Self.vault, under: key())
    #expect(try RevocationList(opening: bytes, of: Self.vault, under: key()) == list)
    #expect((bytes.count - 68) % 4096 == 0)
    #expect(try list.sealed(for: Self.vault, under: key()) != bytes)  // another nonce
  }

  @Test("A list with any changed, missing or added byte is refused") func noBitCanBeFlippedAndNoByteCutOrAdded() throws {
    let bytes = try list(3).sealed(for: Self.vault, under: key())
    for index in bytes.indices where index < 80 || index % 13 == 0 || index >= bytes.count - 16 {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        #expect(throws: RevocationListError.self, "byte \(index)") {
          try RevocationList(opening: changed, of: Self.vault, under: key())
        }
      }
    }
    for length in Array(0..<70) + [bytes.count - 1] {
      #expect(throws: RevocationListError.self) {
        try RevocationList(opening: Array(bytes.prefix(length)), of: Self.vault, under: key())
      }
    }
    #expect(throws: RevocationListError.damaged) { try RevocationList(opening: bytes + [0], of: Self.vault, under: key()) }
  }

  @Test("A list of another vault or key does not open") func aListOfAnotherVaultOrKeyDoesNotOpen() throws {
    let bytes = try list(3).sealed(for: Self.vault, under: key())
    #expect(throws: RevocationListError.otherVault) {
      try RevocationList(opening: bytes, of: [UInt8](repeating: 4, count: 16), under: key())
    }
    #expect(throws: RevocationListError.damaged) { try RevocationList(opening: bytes, of: Self.vault, under: key(2)) }
    #expect(throws: RevocationListError.tooLong) {
      try RevocationList(
        opening: [UInt8](repeating: 0, count: RevocationList.maximumLength + 1), of: Self.vault, under: key())
    }
  }

  @Test("The latest entries are kept when there are too many") func ofTooManyTheLatestAreTaken() {
    let list = list(RevocationList.maximumEntries - 1)
    #expect(list.contents.count + 68 <= RevocationList.maximumLength)
    let more = RevocationList(
      number: 1, writtenAt: 1,
      entries: list.entries + (0..<5).map { .init(key: [UInt8](repeating: 255, count: 31) + [$0], time: 1 << 40, ending: 2) })
    #expect(more.entries.count == RevocationList.maximumEntries && more.entries.last?.ending == 2)
    #expect(!more.entries.contains { $0.time == 0 })
  }

  @Test("A list in any other form is refused") func contentsHaveOneForm() throws {
    let contents = list(2).contents
    for change in [(20, UInt8(255)), (contents.count - 1, 1), (19, 3), (19, 1)] {
      var bytes = contents
      bytes[change.0] = change.1
      #expect(RevocationList(contents: bytes) == nil, "byte \(change.0)")
    }
    #expect(RevocationList(contents: contents) == list(2))
  }
}
