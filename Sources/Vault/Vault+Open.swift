import Encodings
import SecretMemory

extension Vault {
  /// What an opened vault holds.
  struct Open {
    let folder: HomeFolder
    let machine: Machine
    /// Kinds of records that the program knows.
    let kinds: RecordKinds
    let database: Database
    var header: VaultHeader
    /// Bound into the header's code. Shows that newly found keys belong to this vault.
    var headerCode: [UInt8]
    /// What binds classes of this device.
    var deviceFinding: DeviceFinding
    /// Nil when they are bound to another, or what binds them is sealed and does not open.
    var device: DeviceSecret? { deviceFinding.secret }
    var keys: ClassKeys
    var inventory: Inventory
    /// One more with each transaction but an opening; 0 in a vault of version 2.
    var revision: UInt64 = 0
    /// Looks at the log beside the vault; nil when there is none.
    var log: LogObserver?
    /// Reports which state is on the disk.
    let marks = Vault.MarkBox()
    /// How often class keys were changed: what was shown before is of no use any more.
    var epoch: UInt64 = 0
    /// Classes that are not used until another slot than a passkey was shown (FingerprintRecord.swift).
    var held: Set<ProtectionClass> = []

    var table: RecordTable { RecordTable(database, header.vaultID, keys, kinds) }

    /// What is stored of the vault as a whole.
    var summary: VaultSummary {
      VaultSummary(generation: header.generation, revision: header.isStrict ? revision : nil, inventory: inventory)
    }

    /// Takes over what was found at opening, or was just made.
    mutating func take(_ summary: VaultSummary) {
      (inventory, revision) = (summary.inventory, summary.revision ?? 0)
      marks.set(summary.mark)
    }
  }
}

extension Vault.Open {
  /// Takes the keys that may be kept in memory.
  mutating func install(_ found: ClassKeys) {
    keys = keys.merging(found.only { !$0.needsPresence })
  }

  /// Takes only the keys that stay available while locked.
  mutating func installLasting(_ found: ClassKeys) {
    keys = keys.merging(found.only { $0.base == .afterFirstUnlock })
  }

  /// Takes the keys that stay available while locked, and what is derived from them, into a vault that was shut.
  mutating func reopen(_ found: ClassKeys) throws(VaultError) {
    installLasting(found)
    try keys.derive(vaultID: header.vaultID, olderNames: header.olderNames)
  }

  /// The reasons why classes cannot be opened by unlocking.
  mutating func explainRefusals() throws(VaultError) {
    let inUse = try table.classesInUse()
    for protection in ProtectionClass.allCases where !keys.has(protection) {
      if protection.isThisDeviceOnly, device == nil {
        keys.refuse(protection, deviceFinding.fault.map { .deviceSealed($0) } ?? .otherDevice)
      } else if held.contains(protection), inUse.contains(protection) {
        keys.refuse(protection, .biometryChanged)
      } else if header.isUsable(protection) {
        keys.refuse(protection, protection.needsPresence ? .presenceRequired(protection) : .locked)
      } else if protection.base == .biometricRequired, inUse.contains(protection) {
        keys.refuse(protection, .biometryChanged)
      } else {
        keys.refuse(protection, .noSlotFor(protection))
      }
    }
  }

  /// Notes that a slot was shown, and gives to other slots what they still lack.
  /// - Parameter found: the class keys of the slot.
  /// - Returns: the class keys of the slot, and those made now.
  mutating func used(
    _ proven: ProvenSlot, _ found: ClassKeys, _ attempt: Attempt, now: Int64, isTest: Bool = false
  ) throws(VaultError) -> ClassKeys {
    var all = found
    var changed: VaultHeader?
    try HeaderEditor.guards(of: header, found)
    let inUse = try table.classesInUse()
    let isOlder = !header.isStrict && keys.merging(found).has(.whenUnlocked)
    if isOlder || !HeaderEditor.isComplete(header, keys.merging(found), hasDevice: device != nil, inUse: inUse) {
      var editor = try HeaderEditor(header, keys.merging(found), device: device, inUse: inUse)
      try editor.complete()
      changed = try editor.finished()
      let own = Entitlement.classes(of: proven.type)
      all = all.merging(editor.keys.only { own.contains($0) && !keys.has($0) })
    }
    let (database, log) = (database, log)
    try commit(changed, with: keys.merging(all), isOpening: !isTest) { (table, inventory) throws(VaultError) in
      var note = try table.note(of: proven.slot.id)
      note.lastUsed = now
      if isTest { note.lastTested = now }
      try table.put(note, of: proven.slot.id, &inventory)
      // What clears no count hides no attempt either.
      guard let log, attempt.counts else { return try attempt.succeeded(in: database) }
      // A vault that knew a log and finds none cannot say how far it went: its disk may be away for a moment.
      let known = try table.logExtent() ?? .none
      guard let extent = log.extent(), extent != .none || known == .none else { return attempt.undo(in: database) }
      try table.put(extent, &inventory)
      try attempt.succeeded(in: database)
    }
    return all
  }

  /// Makes what a restored vault lacks: keys of the classes of this device.
  mutating func complete() throws(VaultError) {
    var editor = try HeaderEditor(header, keys, device: device, inUse: try table.classesInUse())
    try editor.complete()
    try commit(try editor.finished(), with: editor.keys) { _, _ throws(VaultError) in }
    installLasting(editor.keys)
    if keys.has(.whenUnlocked) { install(editor.keys) }
    try explainRefusals()
  }

  /// Writes a changed header and the records that go with it, or records alone, in one transaction.
  /// - Parameters:
  ///   - shown: all available keys, if they are more than those in memory.
  ///   - least: the revision is made higher than this one.
  ///   - records: those that the body changes, as far as companions may want to know.
  ///   - isAside: not what the caller wanted to change, but noticed on the way: companions wait on.
  ///   - isOpening: nothing but the note of a slot changes, so the revision stays: an older vault becomes no newer by being opened,
  ///     also where nobody compares it with the log.
  mutating func commit(
    _ changed: VaultHeader?, with shown: ClassKeys? = nil, above least: UInt64 = 0, isOpening: Bool = false,
    isAside: Bool = false, records: [RecordChange] = [], _ body: (RecordTable, inout Inventory) throws(VaultError) -> Void
  ) throws(VaultError) {
    let (next, database, keys, kinds) = (changed ?? self.header, self.database, shown ?? self.keys, self.kinds)
    let old = inventory.strict
    let revision = isOpening && changed == nil ? revision : try Self.next(max(revision, least))
    var summary = summary
    let companions = isOpening || isAside ? [] : CompanionChanges.waiting(beside: records)
    try database.transaction { () throws(VaultError) in
      let table = RecordTable(database, next.vaultID, keys, kinds)
      try body(table, &summary.inventory)
      try table.make(companions, &summary.inventory)
      // The first time that the keys of the stricter classes are available.
      if next.isStrict, summary.inventory.strict == nil { summary.inventory.strict = try table.inventory().strict }
      try summary.inventory.strict?.settle(next.vaultID, keys)
      if changed != nil {
        summary = try HeaderTable.write(
          next, keys, revision: revision, summary.inventory, after: old, to: database)
      } else {
        summary.revision = next.isStrict ? revision : nil
        try table.putSummary(summary, after: old)
      }
    }
    if !isOpening && !isAside { CompanionChanges.noteStored() }
    if let changed { header = changed }
    take(summary)
    guard let changed else { return }
    try took(changed)
  }

  /// The revision after another.
  /// - Throws: `.corrupt` behind the last one: one that began again would be older than all.
  static func next(_ revision: UInt64) throws(VaultError) -> UInt64 {
    let (next, overflow) = revision.addingReportingOverflow(1)
    guard !overflow else { throw .corrupt(what: "revision") }
    return next
  }

  /// After a header was written.
  mutating func took(_ changed: VaultHeader) throws(VaultError) {
    header = changed
    headerCode = try keys.mac(of: changed.bytes, vaultID: changed.vaultID)
    try explainRefusals()
    database.forgetLog()
  }
}
