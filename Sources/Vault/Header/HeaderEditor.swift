import Ciphers
import Encodings
import SecretMemory

/// Changes a header while class keys are available: always afterFirstUnlock, and those that are to be wrapped.
struct HeaderEditor {
  private(set) var header: VaultHeader
  /// The class keys that are available. New ones are added.
  private(set) var keys: ClassKeys
  /// What binds classes of this device; nil when this is not the device they are bound to.
  private var device: DeviceSecret?
  /// The classes that have records, so that their keys cannot be replaced by new ones.
  private let inUse: Set<ProtectionClass>
  /// Each slot's authentication key.
  private var authentication: [UInt32: SecretBox] = [:]
  /// Each slot's guard key; none without the whenUnlocked class key, and then only what stays open can be changed.
  private var guards: [UInt32: SecretBox] = [:]

  /// - Throws: `.corrupt` for a slot that was not made with a class key of this vault.
  init(_ header: VaultHeader, _ keys: ClassKeys, device: DeviceSecret?, inUse: Set<ProtectionClass>) throws(VaultError) {
    (self.header, self.keys, self.inUse) = (header, keys, inUse)
    let tag = device?.tag(vaultID: header.vaultID)
    self.device = header.deviceTag == Bytes32() || header.deviceTag == tag ? device : nil
    if self.device != nil, let tag { self.header.deviceTag = tag }
    let sealing = try keys.slotSealingKey(vaultID: header.vaultID)
    for slot in header.slots { authentication[slot.id] = try SlotAuthentication.open(slot, header.vaultID, sealing) }
    guards = try Self.guards(of: header, keys)
  }

  /// Every slot's guard key, if the whenUnlocked class key is available.
  /// - Throws: `.corrupt` for a slot, or a wrap, that somebody without that key put there.
  @discardableResult
  static func guards(of header: VaultHeader, _ keys: ClassKeys) throws(VaultError) -> [UInt32: SecretBox] {
    guard keys.has(.whenUnlocked) else { return [:] }
    let sealing = try keys.guardSealingKey(vaultID: header.vaultID)
    var guards: [UInt32: SecretBox] = [:]
    for slot in header.slots where slot.isGuarded {
      let key = try SlotGuard.open(slot, header.vaultID, sealing)
      try SlotGuard.check(slot, header.vaultID, key, version: header.version)
      guards[slot.id] = key
    }
    return guards
  }

  /// A header without slots, for a new vault.
  init(newVault keys: ClassKeys, device: DeviceSecret) {
    header = VaultHeader(vaultID: SystemRandom.bytes(16), generation: 0, slots: [])
    header.deviceTag = device.tag(vaultID: header.vaultID)
    (self.keys, self.device, inUse) = (keys, device, [])
  }

  /// A header with the one slot of a vault of version 1.
  init(versionOne header: VersionOneHeader, _ keys: ClassKeys, device: DeviceSecret) {
    self.header = VaultHeader(vaultID: header.vaultID, generation: header.generation, slots: [])
    self.header.deviceTag = device.tag(vaultID: header.vaultID)
    (self.keys, self.device) = (keys, device)
    inUse = [.afterFirstUnlock, .whenUnlocked]
  }

  // MARK: slots

  /// Adds a slot, or puts one in the place of another of the same id. It has no class keys before `complete`.
  mutating func put(_ enrolment: borrowing SlotEnrolment, id: UInt32) throws(VaultError) {
    guard enrolment.parameters.count <= Keyslot.maximumParameters else { throw .tooLong(limit: Keyslot.maximumParameters) }
    let bare = Keyslot(
      id: id, type: enrolment.type.rawValue, generation: header.generation &+ 1, parameters: enrolment.parameters)
    try put(bare, enrolment.secret)
  }

  private mutating func put(_ bare: Keyslot, _ secret: borrowing SecretBytes) throws(VaultError) {
    guard !bare.isGuarded || keys.has(.whenUnlocked) else { throw .notEntitled(.whenUnlocked) }
    let slotKeys = try SlotKeys(secret, of: bare, header.vaultID)
    guards[bare.id] = bare.isGuarded ? slotKeys.guardKey : nil
    authentication[bare.id] = slotKeys.authentication
    if let index = header.slots.firstIndex(where: { $0.id == bare.id }) {
      header.slots[index] = slotKeys.filled(bare)
    } else {
      guard header.slots.count < VaultHeader.maximumSlots else { throw .tooManySlots(limit: VaultHeader.maximumSlots) }
      header.slots.append(slotKeys.filled(bare))
    }
    guard VaultHeader.work(of: header.slots) <= VaultHeader.mostWork else { throw .costOutOfRange }
  }

  /// Removes the wraps of classes without records that a slot of this type is entitled to and whose keys are not available. `complete` makes
  /// new keys for them, which all slots get. Nothing that is stored opens with the old ones, in this file or beside it; a backup has a header of
  /// its own.
  mutating func giveUpUnavailable(for type: SlotType) {
    for protection in Entitlement.classes(of: type)
    where !keys.has(protection) && !inUse.contains(protection) && isPossible(protection) && Self.mayGive(protection, keys) {
      for index in header.slots.indices { header.slots[index].drop(protection) }
    }
  }

  /// Makes new keys for a slot from the same secret, so that what anybody learnt of the old ones is useless. Does nothing to a slot
  /// unless all of its class keys are available.
  mutating func remake(_ id: UInt32, _ secret: SecretBox) throws(VaultError) {
    guard let old = header.slot(id) else { throw .noSuchSlot }
    let had = old.wraps.compactMap { ProtectionClass(rawValue: $0.protection) }.filter(keys.has)
    guard had.count == old.wraps.count else { return }
    let copy = try vaultFault(.outOfMemory) { try secret.duplicate() }
    try put(Keyslot(id: id, type: old.type, generation: header.generation &+ 1, parameters: old.parameters), copy)
    guard let index = header.slots.firstIndex(where: { $0.id == id }) else { throw .noSuchSlot }
    for protection in had { try wrap(protection, for: index) }
  }

  /// - Throws: `.noSuchSlot`.
  mutating func remove(_ id: UInt32) throws(VaultError) {
    guard let index = header.slots.firstIndex(where: { $0.id == id }) else { throw .noSuchSlot }
    header.slots.remove(at: index)
    (authentication[id], guards[id]) = (nil, nil)
  }

  /// An id that no slot has had.
  var freeID: UInt32 {
    max(UInt32(clamping: header.generation &+ 1), (header.slots.map(\.id).max() ?? 0) &+ 1)
  }

  // MARK: class keys

  /// Wraps the available keys for every slot that is entitled to them and lacks them, and makes keys for classes that no slot was
  /// entitled to before. Passkeys that were not enrolled with `biometricRequired` do not get it.
  mutating func complete() throws(VaultError) {
    for protection in ProtectionClass.allCases where isPossible(protection) && Self.mayGive(protection, keys) {
      let isNew = !header.isWrapped(protection) && !inUse.contains(protection)
      if isNew, !keys.has(protection) { try keys.setRandom(protection) }
      guard keys.has(protection) else { continue }
      for index in header.slots.indices where lacks(index, protection) {
        let isPasskeyOfAnotherSet =
          !isNew && protection.base == .biometricRequired && header.slots[index].type == SlotType.passkey.rawValue
        if !isPasskeyOfAnotherSet { try wrap(protection, for: index) }
      }
    }
  }

  /// Whether `complete` with these keys would change anything.
  static func isComplete(_ header: VaultHeader, _ keys: ClassKeys, hasDevice: Bool, inUse: Set<ProtectionClass>) -> Bool {
    ProtectionClass.allCases.allSatisfy { protection in
      if (protection.isThisDeviceOnly && !hasDevice) || !mayGive(protection, keys) { return true }
      let entitled = header.slots.filter { slot in
        SlotType(rawValue: slot.type).map { Entitlement.isEntitled($0, to: protection) } ?? false
      }
      guard !entitled.isEmpty else { return true }
      guard header.isWrapped(protection) else { return inUse.contains(protection) && !keys.has(protection) }
      let lacking = entitled.filter { slot in
        slot.wrap(of: protection) == nil
          && !(protection.base == .biometricRequired && slot.type == SlotType.passkey.rawValue)
      }
      return lacking.isEmpty || !keys.has(protection)
    }
  }

  /// Replaces the wraps of these classes in all slots by wraps of the available keys.
  mutating func rewrap(_ classes: some Sequence<ProtectionClass>) throws(VaultError) {
    for protection in classes where keys.has(protection) {
      for index in header.slots.indices where header.slots[index].wrap(of: protection) != nil {
        try wrap(protection, for: index)
      }
    }
  }

  /// Wraps the available keys of `biometricRequired` and its this-device-only variant for all passkeys.
  mutating func enrolPasskeys(_ classes: [ProtectionClass] = Self.enrolledClasses) throws(VaultError) {
    for protection in classes where keys.has(protection) {
      for index in header.slots.indices where header.slots[index].type == SlotType.passkey.rawValue {
        try wrap(protection, for: index)
      }
    }
  }

  static let enrolledClasses = [ProtectionClass.biometricRequired, .biometricRequiredThisDeviceOnly]

  /// Replaces available class keys.
  mutating func replace(_ fresh: ClassKeys) { keys = keys.merging(fresh) }

  /// After a passkey or a finger was added or removed: removes the wraps for all earlier enrolments. If there are no records,
  /// `complete` makes new keys.
  /// - Throws: `.locked` without the whenUnlocked class key.
  mutating func enrolmentChanged(of classes: [ProtectionClass] = Self.enrolledClasses) throws(VaultError) {
    guard keys.has(.whenUnlocked) else { throw .locked }
    for protection in classes {
      let isInUse = inUse.contains(protection)
      for index in header.slots.indices where !isInUse || header.slots[index].type == SlotType.passkey.rawValue {
        header.slots[index].drop(protection)
      }
      keys.forget(protection)
    }
  }

  /// Takes another device in the place of the one that classes of this device were bound to; their keys are gone.
  mutating func bind(to device: DeviceSecret) {
    header.deviceTag = device.tag(vaultID: header.vaultID)
    self.device = device
    for protection in ProtectionClass.allCases where protection.isThisDeviceOnly {
      keys.forget(protection)
      for index in header.slots.indices { header.slots[index].drop(protection) }
    }
  }

  /// Replaces the device secret for classes whose keys are available.
  mutating func rebind(to device: DeviceSecret, _ classes: [ProtectionClass]) throws(VaultError) {
    header.deviceTag = device.tag(vaultID: header.vaultID)
    self.device = device
    try rewrap(classes)
  }

  mutating func setOlderNames(_ names: [VaultHeader.OlderNames]) {
    header.olderNames = names.sorted { $0.protection < $1.protection }
  }

  /// The header of the next generation, with every code computed again.
  func finished() throws(VaultError) -> VaultHeader {
    var header = header
    header.generation &+= 1
    if keys.has(.whenUnlocked) { header.version = VaultHeader.currentVersion }
    let sealing = try keys.slotSealingKey(vaultID: header.vaultID)
    for index in header.slots.indices {
      guard let key = authentication[header.slots[index].id] else { throw .corrupt(what: "keyslot") }
      header.slots[index].authentication = try SlotAuthentication.seal(key, of: header.slots[index], header.vaultID, sealing)
      header.slots[index].code = SlotAuthentication.code(header.slots[index], header.vaultID, key)
      guard let key = guards[header.slots[index].id] else { continue }
      let guardSealing = try keys.guardSealingKey(vaultID: header.vaultID)
      header.slots[index].guardKey = try SlotGuard.seal(key, of: header.slots[index], header.vaultID, guardSealing)
      header.slots[index].guardCodes = SlotGuard.codes(
        header.slots[index], header.vaultID, key, version: header.version)
    }
    return header
  }

  /// The header without what only this device could use, for a backup. It is of the same generation.
  static func withoutDevice(_ header: VaultHeader, _ keys: ClassKeys) throws(VaultError) -> VaultHeader {
    var copy = header
    copy.deviceTag = Bytes32()
    copy.olderNames.removeAll { $0.protection & 16 != 0 }
    let sealing = try keys.slotSealingKey(vaultID: header.vaultID)
    for index in copy.slots.indices {
      let key = try SlotAuthentication.open(copy.slots[index], header.vaultID, sealing)
      copy.slots[index].wraps.removeAll { $0.protection & 16 != 0 }
      copy.slots[index].code = SlotAuthentication.code(copy.slots[index], header.vaultID, key)
      copy.slots[index].guardCodes[1] = Bytes32()
    }
    return copy
  }

  /// Only somebody who has more than `afterFirstUnlock` may give more than that, because otherwise the guards cannot be checked.
  private static func mayGive(_ protection: ProtectionClass, _ keys: ClassKeys) -> Bool {
    protection.base == .afterFirstUnlock || keys.has(.whenUnlocked)
  }

  private func isPossible(_ protection: ProtectionClass) -> Bool { !protection.isThisDeviceOnly || device != nil }

  private func lacks(_ index: Int, _ protection: ProtectionClass) -> Bool {
    guard let type = SlotType(rawValue: header.slots[index].type) else { return false }
    return Entitlement.isEntitled(type, to: protection) && header.slots[index].wrap(of: protection) == nil
  }

  private mutating func wrap(_ protection: ProtectionClass, for index: Int) throws(VaultError) {
    header.slots[index].set(
      try ClassWrap.seal(
        try keys.key(protection), as: protection, for: header.slots[index], of: header.vaultID, device: device,
        enrolment: header.enrolment))
  }
}
