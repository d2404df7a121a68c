import Ciphers
import Encodings

// `header.body`, for docs/FORMATS.md; numbers big-endian.
//
//   8  magic "HFVAULT" and a zero byte     4  format version, 3 (2: made before there was a strict summary)     16  vault id, random
//   8  generation: 1, and one more with each change of a slot or class key
//  32  device tag: of which device the classes of this device are; zeros while there is none
//   1  number of older names, 0 to 16; then each, in rising order of the classes: class 1 · nonce 24 · index key sealed 32 + 16
//   1  number of slots, 1 to 16; then each slot:
//      4 slot id · 1 type · 8 generation in which its keys were made · 2 length of parameters, then the parameters
//     32 commitment · 32 public key · 72 authentication key, sealed
//      1 number of wraps, 1 to 16; then each wrap, in rising order of the classes: class 1 · ephemeral key 32 · class key sealed 32 + 16
//     32 code over the slot
//
// `header.digest` is SHA-256 of the body: it tells damage from a wrong passphrase before any key is known.
// `header.mac` is HMAC-SHA256 of the body under HKDF-Expand(afterFirstUnlock class key, "holdfast vault header 2" ‖ vault id).

/// What is in clear about a vault as a whole.
package struct VaultHeader: Equatable {
  /// The index key under which the rows of a class are still named: the class's key could not be changed with the others.
  struct OlderNames: Equatable {
    let protection: UInt8
    /// Nonce (24) ‖ index key and tag (48), sealed under the afterFirstUnlock class key.
    let sealed: [UInt8]
  }

  /// What is written once a vault was opened by more than a keyring.
  static let currentVersion: UInt32 = 3
  /// From this version on there is a strict summary, and the summary has a revision.
  static let firstStrictVersion: UInt32 = 3
  private static let oldestVersion: UInt32 = 2
  static let maximumSlots = 16
  static let maximumClasses = 16
  /// The most memory times passes of all passphrase slots, in bytes: half a minute or so for a wrong passphrase, as a stranger's header
  /// may have it. Sixteen slots of the usual cost fit.
  static let mostWork = 32 << 30

  /// Memory times passes of the passphrase slots, in bytes.
  static func work(of slots: [Keyslot]) -> Int {
    slots.filter { $0.type == SlotType.passphrase.rawValue }
      .compactMap { try? PassphraseParameters.read($0.parameters).cost }.reduce(0) { $0 + $1.memory * $1.passes }
  }

  static let magic = Array("HFVAULT\0".utf8)

  var version = Self.currentVersion
  let vaultID: [UInt8]
  var generation: UInt64
  var deviceTag = Bytes32()
  var olderNames: [OlderNames] = []
  var slots: [Keyslot]

  init(vaultID: [UInt8], generation: UInt64, slots: [Keyslot]) {
    (self.vaultID, self.generation, self.slots) = (vaultID, generation, slots)
  }

  /// - Throws: `.newerVersion`, `.corrupt`.
  package init(_ bytes: [UInt8]) throws(VaultError) {
    var reader = ByteReader(bytes[...])
    let damage = VaultError.corrupt(what: "header")
    let version = try Self.version(&reader)
    guard version >= Self.oldestVersion, let id = reader.take(16), let generation: UInt64 = reader.integer(),
      let deviceTag = reader.bytes32(), let older = reader.byte(), older <= Self.maximumClasses
    else { throw damage }
    var olderNames: [OlderNames] = []
    for _ in 0..<older {
      guard let protection = reader.byte(), protection > olderNames.last?.protection ?? 0, let sealed = reader.take(72) else {
        throw damage
      }
      olderNames.append(OlderNames(protection: protection, sealed: Array(sealed)))
    }
    guard let count = reader.byte(), (1...Self.maximumSlots).contains(Int(count)) else { throw damage }
    var slots: [Keyslot] = []
    for _ in 0..<count {
      guard let slot = Keyslot(from: &reader), !slots.contains(where: { $0.id == slot.id }) else { throw damage }
      slots.append(slot)
    }
    guard reader.isAtEnd else { throw damage }
    guard Self.work(of: slots) <= Self.mostWork else { throw .costOutOfRange }
    self.init(vaultID: Array(id), generation: generation, slots: slots)
    (self.version, self.deviceTag, self.olderNames) = (version, deviceTag, olderNames)
  }

  /// The version of a header, after its magic.
  /// - Throws: `.newerVersion`, `.corrupt`.
  static func version(_ reader: inout ByteReader) throws(VaultError) -> UInt32 {
    guard let magic = reader.take(8), Array(magic) == Self.magic, let version: UInt32 = reader.integer() else {
      throw .corrupt(what: "header")
    }
    guard version <= currentVersion else { throw .newerVersion(found: version) }
    return version
  }

  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: version)
    bytes += vaultID
    bytes.append(bigEndian: generation)
    bytes += deviceTag.array
    bytes.append(UInt8(olderNames.count))  // at most 16
    for names in olderNames { bytes += [names.protection] + names.sealed }
    bytes.append(UInt8(slots.count))  // at most 16
    for slot in slots { slot.write(to: &bytes) }
    return bytes
  }

  /// The passkeys that are enrolled, in 32 bytes: bound into their wraps of `biometricRequired`.
  var enrolment: Bytes32 {
    var bytes = Array("holdfast enrolment 2\0".utf8)
    for slot in slots.sorted(by: { $0.id < $1.id }) where slot.type == SlotType.passkey.rawValue {
      bytes.append(bigEndian: slot.id)
      bytes += SHA256.digest(of: PasskeyParameters(slot.parameters)?.credential ?? slot.parameters).array
    }
    return SHA256.digest(of: bytes)
  }

  /// Whether the vault has a revision and a strict summary.
  var isStrict: Bool { version >= Self.firstStrictVersion }

  func slot(_ id: UInt32) -> Keyslot? { slots.first { $0.id == id } }

  /// Whether any slot has a wrap of the class.
  func isWrapped(_ protection: ProtectionClass) -> Bool { slots.contains { $0.wrap(of: protection) != nil } }

  /// Whether a slot that may use the class has a wrap of it.
  func isUsable(_ protection: ProtectionClass) -> Bool {
    slots.contains { slot in
      guard let type = SlotType(rawValue: slot.type), slot.wrap(of: protection) != nil else { return false }
      return Entitlement.uses(of: type).contains(protection)
    }
  }

  /// The types of the slots that this version knows.
  var types: [SlotType] { slots.compactMap { SlotType(rawValue: $0.type) } }
}
