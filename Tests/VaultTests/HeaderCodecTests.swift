import Ciphers
import Encodings
import TestSupport
import Testing

@testable import Vault

@Suite struct HeaderCodecTests {
  private static func filled(_ byte: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: byte, count: 32)) ?? Bytes32() }

  private static func sample() -> VaultHeader {
    func slot(_ id: UInt32) -> Keyslot {
      var slot = Keyslot(id: id, type: 1, generation: 2, parameters: [9, 8, 7])
      slot.commitment = filled(0xcc)
      slot.publicKey = filled(0xdd)
      slot.authentication = [UInt8](repeating: 0xee, count: 72)
      slot.wraps = [
        Keyslot.Wrap(protection: 1, ephemeral: filled(1), sealed: [UInt8](repeating: 2, count: 48)),
        Keyslot.Wrap(protection: 99, ephemeral: filled(3), sealed: [UInt8](repeating: 4, count: 48)),
      ]
      slot.code = filled(0xaa)
      slot.guardKey = [UInt8](repeating: 0x77, count: 72)
      slot.guardCodes = [filled(0x55), filled(0x66)]
      return slot
    }
    var header = VaultHeader(vaultID: [UInt8](0..<16), generation: 3, slots: [slot(1), slot(2)])
    header.deviceTag = filled(0xbb)
    header.olderNames = [VaultHeader.OlderNames(protection: 4, sealed: [UInt8](repeating: 0x99, count: 72))]
    return header
  }

  @Test("A header is read back with classes of later versions", arguments: [2, 3] as [UInt32])
  func aHeaderComesBackWithClassesOfLaterVersions(version: UInt32) throws {
    var header = Self.sample()
    header.version = version
    #expect(try VaultHeader(header.bytes) == header)
  }

  /// Format stability: these bytes are on people's disks.
  @Test("The header keeps its published bytes") func aKnownHeaderHasKnownBytes() {
    func run(_ byte: String, _ count: Int) -> String { String(repeating: byte, count: count) }
    func slot(_ id: String) -> String {
      id + "01" + "0000000000000002" + "0003" + "090807" + run("cc", 32) + run("dd", 32) + run("ee", 72) + "02" + "01"
        + run("01", 32) + run("02", 48) + "63" + run("03", 32) + run("04", 48) + run("aa", 32) + run("77", 72) + run("55", 32)
        + run("66", 32)
    }
    #expect(
      Hex.encode(Self.sample().bytes) == "48465641554c5400" + "00000003" + "000102030405060708090a0b0c0d0e0f" + "0000000000000003"
        + run("bb", 32) + "01" + "04" + run("99", 72) + "02" + slot("00000001") + slot("00000002"))
  }

  @Test("Slots and classes must stand once and in order") func slotsAndClassesStandOnceAndInOrder() {
    var twice = Self.sample()
    twice.slots[1] = twice.slots[0]
    #expect(throws: VaultError.corrupt(what: "header")) { try VaultHeader(twice.bytes) }
    var turned = Self.sample()
    turned.slots[0].wraps.reverse()
    #expect(throws: VaultError.corrupt(what: "header")) { try VaultHeader(turned.bytes) }
  }

  @Test("A header that is too short or too long is refused") func everyCutAndEveryTailIsRefused() {
    let bytes = Self.sample().bytes
    for length in bytes.indices {
      #expect(throws: VaultError.corrupt(what: "header"), "\(length)") { try VaultHeader(Array(bytes.prefix(length))) }
    }
    #expect(throws: VaultError.corrupt(what: "header")) { try VaultHeader(bytes + [0]) }
  }

  /// Seed 3.
  @Test("Random bytes never crash the reader") func noBytesTrapTheReader() {
    var random = Repeatable(seed: 3)
    let bytes = Self.sample().bytes
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let header = try? VaultHeader(changed) { #expect(header.bytes == changed) }
    }
  }

  @Test(
    "An invalid summary is refused", arguments: [[], [0], [UInt8](repeating: 0, count: 49), [UInt8](repeating: 0, count: 50)])
  func badSummariesAreRefused(bytes: [UInt8]) { #expect(VaultSummary(bytes) == nil) }

  @Test("An inventory forgets a row that is taken out again") func anInventoryForgetsWhatIsTakenOutAgain() throws {
    let key = try box([UInt8](repeating: 7, count: 32))
    func place(_ kind: UInt16, _ version: UInt64) -> RecordPlace {
      RecordPlace(vaultID: [], kind: kind, name: [1], protection: 1, version: version)
    }
    var inventory = Inventory()
    inventory.toggle(place(4, 1), wrapped: [1], under: key)
    inventory.toggle(place(5, 1), wrapped: [1], under: key)
    let both = inventory
    let summary = VaultSummary(generation: 9, revision: 3, inventory: both)
    #expect(VaultSummary(summary.bytes) == summary)
    let older = VaultSummary(generation: 9, revision: nil, inventory: both)
    #expect(VaultSummary(older.bytes, hasRevision: false) == older)
    inventory.toggle(place(4, 1), wrapped: [1], under: key)
    #expect(inventory.firstDifference(from: both) == 4)
    #expect(Array(inventory.sums.keys) == [5])
    inventory.toggle(place(4, 2), wrapped: [1], under: key)
    #expect(inventory.firstDifference(from: both) == 4)
    inventory.toggle(place(5, 1), wrapped: [1], under: key)
    inventory.toggle(place(4, 2), wrapped: [1], under: key)
    #expect(inventory == Inventory())
  }

  /// A stranger's header: of a backup, or of a vault file that was put in place.
  @Test(
    "All passphrase slots of a header together ask for half a minute at most", arguments: [(2, true), (3, false), (16, false)])
  func passphraseSlotsAreBoundedTogether(count: Int, isRead: Bool) throws {
    let cost = try Argon2id.Cost(memory: 256 << 20, passes: 64)
    let slots = (1...UInt32(count)).map { id in
      var slot = Keyslot(
        id: id, type: SlotType.passphrase.rawValue, generation: 1,
        parameters: PassphraseParameters.bytes(cost, [UInt8](repeating: 0, count: 16)))
      slot.authentication = [UInt8](repeating: 0xee, count: 72)
      slot.wraps = [Keyslot.Wrap(protection: 1, ephemeral: Self.filled(1), sealed: [UInt8](repeating: 2, count: 48))]
      return slot
    }
    let bytes = VaultHeader(vaultID: [UInt8](repeating: 1, count: 16), generation: 1, slots: slots).bytes
    if isRead {
      #expect(try VaultHeader(bytes).slots.count == count)
    } else {
      #expect(throws: VaultError.costOutOfRange) { try VaultHeader(bytes) }
    }
  }
}
