import Encodings
import Platform

/// What a change of class keys did.
public struct ClassKeyRotation: Sendable, Equatable {
  /// The classes that have new keys.
  public let rotated: [ProtectionClass]
  /// The classes whose keys nobody showed, or that belong to another device: they are as they were.
  public let kept: [ProtectionClass]
}

extension Vault {
  /// Makes new class keys, seals every record again under them and wraps them for every slot, in one transaction.
  ///
  /// Somebody who kept a class key, or an older copy of the file with a credential for it, can open nothing that is written from
  /// now on, and nothing in the present file. A class that needs presence is only changed if a slot is shown that opens it, or if
  /// it has no records. The shown slots get new keys, too.
  /// - Parameter provenBy: one or more; one of them opens the class `whenUnlocked`.
  /// - Throws: as `unlock(with:)`; `.vault(.notEntitled)` if the shown credentials are too few; `.corrupt` for a damaged record.
  ///   Nothing was changed then.
  @discardableResult
  public func rotateClassKeys(provenBy openers: [any SlotOpener], now: Int64) throws(KeyStoreError) -> ClassKeyRotation {
    var shown: [ProvenSlot] = []
    for opener in openers {
      _ = try attempt(opener, now) { _, proof throws(VaultError) in shown.append(proof.slot) }
    }
    let found = shown
    return try keyStoreFault { () throws(VaultError) in
      try attempting.withLock { () throws(VaultError) in
        try withOpen { open throws(VaultError) in try open.rotate(shownBy: found) }
      }
    }
  }

  /// Gives the records of `biometricRequired` to the passkeys there are now, after a passkey or a finger was added or removed.
  ///
  /// The recovery kit has the key; those of this device have no such way and stay closed, unless they are discarded. The class gets a
  /// new key: a passkey that was removed opens nothing any more.
  /// - Parameter discarding: whether records that nobody can open are removed.
  /// - Returns: the classes that can be used again, and those that stay closed.
  /// - Throws: as `unlock(with:)`; `.vault` with `.noSlotFor` while there is no passkey, `.notEntitled` when nothing can be enrolled
  ///   with what was shown.
  @discardableResult
  public func enrolAnew(
    by opener: some SlotOpener, discarding: Bool = false, now: Int64
  ) throws(KeyStoreError) -> ClassKeyRotation {
    var result = ClassKeyRotation(rotated: [], kept: [])
    _ = try attempt(opener, now) { open, proof throws(VaultError) in
      result = try open.enrolAnew(with: proof.keys, shown: proof.slot.type, discarding: discarding)
    }
    return result
  }

  /// Binds the classes of this device to the device this is, after the home came from another or lost its device secret. Their
  /// records cannot be opened here and are removed.
  /// - Parameter sealed: whether the chip seals the new device secret; nil for where it can.
  /// - Throws: as `unlock(with:)`; `.vault(.deviceSealed)` when the chip does not.
  public func bindToThisDevice(provenBy opener: some SlotOpener, sealed: Bool? = nil, now: Int64) throws(KeyStoreError) {
    guard try keyStoreFault({ () throws(VaultError) in try isOfAnotherDevice }) else {
      _ = try attempt(opener, now) { _, _ in }
      return
    }
    try withAnotherDeviceSecret(sealed: sealed) { (secret) throws(KeyStoreError) in
      _ = try attempt(opener, now) { open, proof throws(VaultError) in
        try open.bindToThisDevice(with: proof.keys, secret)
      }
    }
  }
}

extension Vault.Open {
  fileprivate mutating func rotate(shownBy slots: [ProvenSlot]) throws(VaultError) -> ClassKeyRotation {
    let inUse = try table.classesInUse()
    var old = keys
    var proven: [ProvenSlot] = []
    for slot in slots {
      guard let now = header.slot(slot.slot.id), now.generation == slot.slot.generation else { throw .noSuchSlot }
      let again = try ProvenSlot(now, slot.secret, of: header.vaultID)
      proven.append(again)
      old = old.merging(try again.classKeys(of: header, device: device))
    }
    guard !proven.isEmpty, old.has(.whenUnlocked) else { throw .notEntitled(.whenUnlocked) }
    let (header, device) = (header, device)
    let there = ProtectionClass.allCases.filter { header.isWrapped($0) || inUse.contains($0) }
    let rotated = there.filter { protection in
      header.isWrapped(protection) && (old.has(protection) || !inUse.contains(protection))
        && (!protection.isThisDeviceOnly || device != nil)
    }
    let kept = there.filter { !rotated.contains($0) }
    try rekey(rotated, old) { editor throws(VaultError) in
      let names = try kept.filter(inUse.contains).map { protection throws(VaultError) in
        try VaultHeader.OlderNames(protection, try old.indexKey(protection), header.vaultID, editor.keys)
      }
      editor.setOlderNames(names)
      try editor.rewrap(rotated)
      for slot in proven { try editor.remake(slot.slot.id, slot.secret) }
    }
    return ClassKeyRotation(rotated: rotated, kept: kept)
  }

  fileprivate mutating func enrolAnew(
    with shown: ClassKeys, shown type: SlotType, discarding: Bool
  ) throws(VaultError) -> ClassKeyRotation {
    guard header.types.contains(.passkey) else { throw .noSlotFor(.biometricRequired) }
    let inUse = try table.classesInUse()
    let (header, device) = (header, device)
    let closed = HeaderEditor.enrolledClasses.filter { protection in
      !header.isUsable(protection) && (!protection.isThisDeviceOnly || device != nil)
    }
    let lost = closed.filter { inUse.contains($0) && !shown.has($0) }
    let enrolled = closed.filter { discarding || !lost.contains($0) }
    let released = try release(by: type, shown)
    guard !enrolled.isEmpty || !released.isEmpty || closed.isEmpty && held.isEmpty else {
      throw .notEntitled(closed.first ?? .biometricRequired)
    }
    guard !enrolled.isEmpty || released.isEmpty else {
      return ClassKeyRotation(rotated: released, kept: closed.filter { !enrolled.contains($0) })
    }
    try rekey(enrolled, keys.merging(shown), discarding: discarding ? lost : []) { editor throws(VaultError) in
      try editor.rewrap(enrolled)
      try editor.enrolPasskeys(enrolled)
    }
    return ClassKeyRotation(rotated: enrolled + released, kept: closed.filter { !enrolled.contains($0) })
  }

  fileprivate mutating func bindToThisDevice(with shown: ClassKeys, _ here: DeviceSecret) throws(VaultError) {
    guard device == nil else { throw .otherDevice }
    let classes = ProtectionClass.allCases.filter(\.isThisDeviceOnly)
    try onDevice(here) { open throws(VaultError) in
      try open.rekey([], open.keys.merging(shown), discarding: classes) { editor throws(VaultError) in editor.bind(to: here) }
    }
  }

  /// Makes new keys for some classes, seals their records again, and changes the header, in one transaction.
  /// - Parameters:
  ///   - old: the old keys of each class that has records and is not discarded.
  ///   - discarded: classes whose records are removed.
  mutating func rekey(
    _ classes: [ProtectionClass], _ old: ClassKeys, discarding discarded: [ProtectionClass] = [],
    _ edit: (inout HeaderEditor) throws(VaultError) -> Void
  ) throws(VaultError) {
    let inUse = try table.classesInUse()
    var fresh = ClassKeys()
    for protection in classes { try fresh.setRandom(protection) }
    var editor = try HeaderEditor(header, old, device: device, inUse: inUse.subtracting(discarded))
    editor.replace(fresh)
    try edit(&editor)
    try editor.complete()
    let next = try editor.finished()
    var new = editor.keys
    try new.derive(vaultID: next.vaultID, olderNames: next.olderNames)
    let before = RecordTable(database, header.vaultID, old, kinds)
    let after = RecordTable(database, header.vaultID, new, kinds)
    let revision = revision &+ 1
    var summary = summary
    let database = database
    let resealed = classes.filter { inUse.contains($0) && !discarded.contains($0) }
    let companions = CompanionChanges.waiting(beside: [])
    try database.transaction { () throws(VaultError) in
      for protection in discarded { try before.removeAll(of: protection) }
      for id in [[], StrictInventory.sumsID, StrictInventory.removedID] {
        try before.removeRow(.summary, try before.keys.rowName(.summary, id, .afterFirstUnlock))
      }
      try before.reseal(resealed, as: after)
      var inventory = try after.inventory()
      try after.make(companions, &inventory)
      summary = try HeaderTable.write(next, new, revision: revision, inventory, to: database)
    }
    CompanionChanges.noteStored()
    header = next
    take(summary)
    let isUnlocked = keys.has(.whenUnlocked)
    keys = new.only { !$0.needsPresence && ($0.base == .afterFirstUnlock || isUnlocked) }
    epoch &+= 1
    try took(next)
  }
}
