import Ciphers
import Encodings
import SecretMemory

/// The class keys that are available. Each has memory of its own, so that one can be wiped.
struct ClassKeys {
  private var keys: [ProtectionClass: SecretBox] = [:]
  /// Why a key is not available, if unlocking would not help.
  private var refusals: [ProtectionClass: VaultError] = [:]
  /// Keys the rows' names; from the afterFirstUnlock class key.
  private var indexKey: SecretBox?
  /// Index keys of classes whose rows are still named by an older one.
  private var olderIndexKeys: [ProtectionClass: SecretBox] = [:]
  private var inventoryKeyBox: SecretBox?
  /// The strict key, where it was shown without its class key.
  private var strictKeyBox: SecretBox?

  init() {}

  var all: [(ProtectionClass, SecretBox)] { keys.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) } }
  var classes: Set<ProtectionClass> { Set(keys.keys) }

  mutating func set(_ protection: ProtectionClass, _ key: SecretBox) {
    keys[protection] = key
    refusals[protection] = nil
  }

  mutating func setRandom(_ protection: ProtectionClass) throws(VaultError) {
    set(protection, try vaultFault(.outOfMemory) { SecretBox(try SecretBytes(randomCount: 32)) })
  }

  mutating func forget(_ protection: ProtectionClass) {
    keys[protection] = nil
    if protection == .whenUnlocked { strictKeyBox = nil }
  }

  /// Wipes all class keys and the keys derived from them. Keeps the reasons why other class keys are not available.
  mutating func forgetAll() {
    let refusals = refusals
    self = ClassKeys()
    self.refusals = refusals
  }

  mutating func refuse(_ protection: ProtectionClass, _ why: VaultError) { refusals[protection] = why }

  func has(_ protection: ProtectionClass) -> Bool { keys[protection] != nil }

  /// - Throws: why the class key is not available: `.locked`, `.presenceRequired`, `.otherDevice`, `.biometryChanged`, `.noSlotFor`,
  ///   `.notEntitled`.
  func key(_ protection: ProtectionClass) throws(VaultError) -> SecretBox {
    if let key = keys[protection] { return key }
    if let why = refusals[protection] { throw why }
    throw protection.needsPresence ? .presenceRequired(protection) : .locked
  }

  /// These and the keys of presence classes that somebody showed. What he may not open is refused as such.
  func with(_ shown: ClassKeys) -> ClassKeys {
    var all = self
    for protection in ProtectionClass.allCases where protection.needsPresence {
      if let key = shown.keys[protection] {
        all.set(protection, key)
      } else if case .presenceRequired? = refusals[protection] {
        all.refuse(protection, .notEntitled(protection))
      }
    }
    all.strictKeyBox = strictKeyBox ?? shown.strictKeyBox
    return all
  }

  /// The keys that are available in either of the two.
  func merging(_ other: ClassKeys) -> ClassKeys {
    var all = self
    for (protection, key) in other.keys { all.set(protection, key) }
    all.strictKeyBox = strictKeyBox ?? other.strictKeyBox
    return all
  }

  /// Only those of some classes, with the reasons for all the others.
  func only(_ isWanted: (ProtectionClass) -> Bool) -> ClassKeys {
    var some = self
    some.keys = keys.filter { isWanted($0.key) }
    some.strictKeyBox = nil
    return some
  }

  // MARK: what follows from the afterFirstUnlock class key

  /// The code over the header's bytes, 32 bytes.
  func mac(of header: [UInt8], vaultID: [UInt8]) throws(VaultError) -> [UInt8] {
    let key = try derived("holdfast vault header 2", vaultID)
    return key.withBytes { key in header.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  /// Seals the slots' authentication keys.
  func slotSealingKey(vaultID: [UInt8]) throws(VaultError) -> SecretBox {
    SecretBox(try derived("holdfast slot authentication seal 2", vaultID))
  }

  /// Seals the slots' guard keys.
  /// - Throws: `.locked` without the whenUnlocked class key.
  func guardSealingKey(vaultID: [UInt8]) throws(VaultError) -> SecretBox {
    guard has(.whenUnlocked) else { throw .locked }
    return SecretBox(try derived(Array("holdfast slot guard seal 2".utf8), vaultID, from: .whenUnlocked))
  }

  /// The key for the sums over the rows of the stricter classes (StrictInventory.swift). Nil if no shown credential opens the
  /// class whenUnlocked.
  func strictKey(vaultID: [UInt8]) throws(VaultError) -> SecretBox? {
    if let strictKeyBox { return strictKeyBox }
    guard has(.whenUnlocked) else { return nil }
    return SecretBox(try derived(Array("holdfast vault strict inventory 1".utf8), vaultID, from: .whenUnlocked))
  }

  /// Takes the strict key of other keys without their class key.
  mutating func takeStrictKey(of other: ClassKeys, vaultID: [UInt8]) throws(VaultError) {
    strictKeyBox = try other.strictKey(vaultID: vaultID)
  }

  /// Makes the keys that do not belong to one class ready.
  mutating func derive(vaultID: [UInt8], olderNames: [VaultHeader.OlderNames] = []) throws(VaultError) {
    indexKey = SecretBox(try derived("holdfast vault index 1", vaultID))
    inventoryKeyBox = SecretBox(try derived("holdfast vault inventory 1", vaultID))
    olderIndexKeys = [:]
    for names in olderNames {
      guard let protection = ProtectionClass(rawValue: names.protection) else { continue }
      olderIndexKeys[protection] = try names.open(vaultID, self)
    }
  }

  func inventoryKey() throws(VaultError) -> SecretBox {
    guard let inventoryKeyBox else { throw .locked }
    return inventoryKeyBox
  }

  /// What the rows of a class are named by.
  func indexKey(_ protection: ProtectionClass) throws(VaultError) -> SecretBox {
    guard let key = olderIndexKeys[protection] ?? indexKey else { throw .locked }
    return key
  }

  /// The name of a record's row: says nothing about the id to whoever has no key. 32 bytes.
  func rowName(_ kind: RecordKind, _ id: [UInt8], _ protection: ProtectionClass) throws(VaultError) -> [UInt8] {
    Self.rowName(kind, id, try indexKey(protection))
  }

  /// The names a record's row may have: one, unless some class keys could not be changed with the others.
  func rowNames(_ kind: RecordKind, _ id: [UInt8]) throws(VaultError) -> [[UInt8]] {
    var names = [Self.rowName(kind, id, try indexKey(.afterFirstUnlock))]
    for key in olderIndexKeys.values {
      let name = Self.rowName(kind, id, key)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private static func rowName(_ kind: RecordKind, _ id: [UInt8], _ key: SecretBox) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: kind.rawValue)
    bytes += id
    return key.withBytes { key in bytes.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.array
  }

  /// A key for one purpose, from the afterFirstUnlock class key.
  func derived(_ label: StaticString, _ vaultID: [UInt8]) throws(VaultError) -> SecretBytes {
    try derived(Array(label.description.utf8), vaultID)
  }

  func derived(
    _ label: [UInt8], _ vaultID: [UInt8], from protection: ProtectionClass = .afterFirstUnlock
  ) throws(VaultError) -> SecretBytes {
    let classKey: SecretBytes
    do { classKey = try key(protection).duplicate() } catch let error as VaultError { throw error } catch {
      throw .outOfMemory
    }
    return try expandKey(classKey, label + vaultID)
  }
}

extension VaultHeader.OlderNames {
  /// Keeps the index key of a class whose rows keep their names.
  init(_ protection: ProtectionClass, _ indexKey: SecretBox, _ vaultID: [UInt8], _ keys: ClassKeys) throws(VaultError) {
    let sealing = try keys.derived("holdfast vault older names 2", vaultID)
    let nonce = SystemRandom.bytes(24)
    let sealed = try vaultFault(.outOfMemory) {
      try sealing.withBytes { sealing in
        try indexKey.withBytes {
          try ChaChaPoly.seal($0, key: sealing, nonce: nonce, associated: Self.associated(protection.rawValue, vaultID))
        }
      }
    }
    self.init(protection: protection.rawValue, sealed: nonce + sealed)
  }

  fileprivate func open(_ vaultID: [UInt8], _ keys: ClassKeys) throws(VaultError) -> SecretBox {
    let sealing = try keys.derived("holdfast vault older names 2", vaultID)
    return try vaultFault(.corrupt(what: "header")) {
      try sealing.withBytes { sealing in
        try sealed.withUnsafeBytes {
          SecretBox(
            try ChaChaPoly.open(
              UnsafeRawBufferPointer(rebasing: $0.dropFirst(24)), key: sealing, nonce: Array(sealed.prefix(24)),
              associated: Self.associated(protection, vaultID)))
        }
      }
    }
  }

  private static func associated(_ protection: UInt8, _ vaultID: [UInt8]) -> [UInt8] {
    Array("holdfast vault older names\0".utf8) + vaultID + [protection]
  }
}
