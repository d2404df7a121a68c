import Encodings
import Platform
import SecretMemory

extension Vault {
  /// The slots, in the order they were made.
  /// - Throws: `.corrupt`, `.io`, `.closed`.
  public var slots: [SlotInfo] {
    get throws(VaultError) {
      try withOpen { open throws(VaultError) in
        var infos: [SlotInfo] = []
        for slot in open.header.slots {
          guard let type = SlotType(rawValue: slot.type) else { continue }
          infos.append(SlotInfo(slot, type, try open.table.note(of: slot.id)))
        }
        return infos
      }
    }
  }

  /// The types of the slots, as the header names them: also while every class is closed, as in a lockdown.
  /// - Throws: `.closed`.
  public var slotTypes: [SlotType] {
    get throws(VaultError) {
      try withOpen { open in open.header.slots.compactMap { SlotType(rawValue: $0.type) } }
    }
  }

  /// The types of the slots of a vault that no process has open, as its header names them before anything is opened.
  /// - Throws: `.noVault`, `.folderNotPrivate`, `.inUse`, `.newerVersion`, `.corrupt`, `.io`.
  public static func slotTypes(home: String) throws(VaultError) -> [SlotType] {
    switch try HeaderTable.read(from: file(in: HomeFolder(path: home))).header {
    case .one: [.passphrase]
    case .two(let header): header.slots.compactMap { SlotType(rawValue: $0.type) }
    }
  }

  /// How often slots or class keys were changed.
  public var generation: UInt64 { (try? withOpen { open in open.header.generation }) ?? 0 }

  /// Adds a slot. It gets the key of every class that it is entitled to and that the credential opens. It gets the others when a
  /// slot that has them is used.
  ///
  /// A further passkey makes `biometricRequired` `.biometryChanged` if it has records, until `enrolAnew`.
  /// - Parameters:
  ///   - provenBy: an existing slot.
  ///   - acceptingLoss: whether records may become unreadable permanently.
  /// - Returns: the new slot's id.
  /// - Throws: as `unlock(with:)`; `.vault` with `.tooManySlots`, `.tooLong`, `.nameNotAllowed`, `.wouldLose`, and `.notEntitled`
  ///   if the credential is a keyring, which does not open `whenUnlocked`.
  public func addSlot(
    _ enrolment: consuming SlotEnrolment, label: String, provenBy opener: some SlotOpener, acceptingLoss: Bool = false, now: Int64
  ) throws(KeyStoreError) -> UInt32 {
    var note = try keyStoreFault { () throws(VaultError) in try SlotNote(made: now, label: label) }
    let new = enrolment
    // A passkey gave its output just now, by a touch, and the slot is sealed with that: no other test would say more.
    if new.type == .passkey { note.lastTested = now }
    let proven = note
    var id: UInt32 = 0
    _ = try attempt(opener, now) { open, proof throws(VaultError) in
      // Even while the session is open: somebody who shows only what opens `afterFirstUnlock` must not make a slot that opens
      // more.
      guard proof.keys.has(.whenUnlocked) else { throw VaultError.notEntitled(.whenUnlocked) }
      id = try open.change(with: proof.keys, acceptingLoss: acceptingLoss) { (editor) throws(VaultError) in
        let id = editor.freeID
        try editor.put(new, id: id)
        return id
      } noting: { (id, table, inventory) throws(VaultError) in
        try table.put(proven, of: id, &inventory)
      }
    }
    return id
  }

  /// Puts a new secret in the place of the one that is shown: a change of passphrase, or the next input of a passkey's PRF. The slot
  /// keeps its id and label.
  /// - Throws: as `unlock(with:)`; `.vault(.noSuchSlot)` when the new one is of another type, or a passkey of another credential.
  @discardableResult
  public func replaceSlot(
    shown opener: some SlotOpener, with enrolment: consuming SlotEnrolment, now: Int64
  ) throws(KeyStoreError) -> UInt32 {
    let new = enrolment
    return try attempt(opener, now) { open, proof throws(VaultError) in
      let slot = proof.slot.slot
      guard slot.type == new.type.rawValue, Self.isSameCredential(slot.parameters, new.parameters, new.type) else {
        throw VaultError.noSuchSlot
      }
      _ = try open.change(with: proof.keys, acceptingLoss: false) { (editor) throws(VaultError) in
        try editor.put(new, id: slot.id)
        if new.type == .passkey { try editor.enrolPasskeys() }
        return slot.id
      } noting: { (id, table, inventory) throws(VaultError) in
        var note = try table.note(of: id)
        // The next input of a passkey that was just used makes no new slot of it.
        if new.type != .passkey { (note.made, note.lastTested) = (now, 0) }
        try table.put(note, of: id, &inventory)
      }
    }.slot
  }

  /// Replaces a passphrase.
  /// - Throws: as `replaceSlot`.
  @discardableResult
  public func changePassphrase(
    shown opener: PassphraseOpener, to enrolment: consuming SlotEnrolment, now: Int64
  ) throws(KeyStoreError) -> UInt32 {
    try replaceSlot(shown: opener, with: enrolment, now: now)
  }

  /// Puts a new passphrase in the place of one that is not shown. The slot keeps its id and label.
  /// - Parameter provenBy: another slot, which opens every class with records that the passphrase opens. So the new one opens no less: classes
  ///   without records that it does not open get new keys.
  /// - Throws: as `unlock(with:)`; `.vault` with `.noSuchSlot` if the slot is of another type, and `.notEntitled` for a class that the
  ///   credential does not open.
  public func replacePassphrase(
    _ id: UInt32, provenBy opener: some SlotOpener, with enrolment: consuming SlotEnrolment, now: Int64
  ) throws(KeyStoreError) -> UInt32 {
    let new = enrolment
    _ = try attempt(opener, now) { open, proof throws(VaultError) in
      guard let slot = open.header.slot(id), slot.type == SlotType.passphrase.rawValue, new.type == .passphrase else {
        throw VaultError.noSuchSlot
      }
      for protection in try open.table.classesInUse().sorted(by: { $0.rawValue < $1.rawValue })
      where slot.wrap(of: protection) != nil && !proof.keys.has(protection) { throw VaultError.notEntitled(protection) }
      _ = try open.change(with: proof.keys, acceptingLoss: false) { (editor) throws(VaultError) in
        try editor.put(new, id: id)
        editor.giveUpUnavailable(for: .passphrase)
        return id
      } noting: { (id, table, inventory) throws(VaultError) in
        var note = try table.note(of: id)
        (note.made, note.lastUsed, note.lastTested) = (now, 0, 0)
        try table.put(note, of: id, &inventory)
      }
    }
    return id
  }

  /// Removes a slot. Its secret then opens only older copies of the file: see `rotateClassKeys`.
  ///
  /// Checks no credential; the caller must do that.
  /// - Throws: `.noSuchSlot`, `.lastSlot`, `.onlyPasskeysLeft`, `.onlyKeyringLeft`, `.wouldLose`, `.io`, `.closed`; `.locked` for
  ///   a passkey while the session is locked, since the others' enrolment changes with it.
  public func removeSlot(_ id: UInt32, acceptingLoss: Bool = false, now: Int64) throws(VaultError) {
    try attempting.withLock { () throws(VaultError) in
      try withOpen { open throws(VaultError) in
        guard open.header.slot(id) != nil else { throw VaultError.noSuchSlot }
        try Entitlement.checkEnough(open.header.slots.filter { $0.id != id }.compactMap { SlotType(rawValue: $0.type) })
        _ = try open.change(with: ClassKeys(), acceptingLoss: acceptingLoss) { (editor) throws(VaultError) in
          try editor.remove(id)
          return id
        } noting: { (id, table, inventory) throws(VaultError) in
          try table.delete(.slotNote, SlotNote.id(id), &inventory)
        }
      }
    }
  }

  /// Gives a slot another label.
  /// - Throws: `.noSuchSlot`, `.nameNotAllowed`, `.io`, `.closed`.
  public func renameSlot(_ id: UInt32, to label: String) throws(VaultError) {
    let written = try SlotNote(made: 0, label: label)
    try withOpen { open throws(VaultError) in
      guard open.header.slot(id) != nil else { throw VaultError.noSuchSlot }
      try open.commit(nil) { (table, inventory) throws(VaultError) in
        var note = try table.note(of: id)
        note.label = written.label
        try table.put(note, of: id, &inventory)
      }
    }
  }

  /// Tries whether a slot opens, and notes when.
  /// - Throws: as `unlock(with:)`.
  public func testSlot(with opener: some SlotOpener, now: Int64) throws(KeyStoreError) -> SlotInfo {
    let opening = try attempt(opener, now, isTest: true) { _, _ throws(VaultError) in }
    return try keyStoreFault { () throws(VaultError) in
      guard let found = try slots.first(where: { $0.id == opening.slot }) else { throw VaultError.noSuchSlot }
      return found
    }
  }

  private static func isSameCredential(_ old: [UInt8], _ new: [UInt8], _ type: SlotType) -> Bool {
    type != .passkey || PasskeyParameters(old)?.credential == PasskeyParameters(new)?.credential
  }
}

extension Vault.Open {
  /// Changes slots, in one transaction.
  /// - Parameters:
  ///   - shown: class keys in addition to those in memory.
  ///   - acceptingLoss: whether records may become unreadable permanently.
  mutating func change(
    with shown: ClassKeys, acceptingLoss: Bool,
    _ body: (inout HeaderEditor) throws(VaultError) -> UInt32,
    noting note: (UInt32, RecordTable, inout Inventory) throws(VaultError) -> Void
  ) throws(VaultError) -> UInt32 {
    let inUse = try table.classesInUse()
    var editor = try HeaderEditor(header, keys.merging(shown), device: device, inUse: inUse)
    let id = try body(&editor)
    if editor.header.enrolment != header.enrolment { try editor.enrolmentChanged() }
    try editor.complete()
    let next = try editor.finished()
    if !acceptingLoss {
      // A class is lost if nobody can open it and nobody can enrol it again.
      for protection in inUse.sorted(by: { $0.rawValue < $1.rawValue })
      where header.isWrapped(protection) && !next.isWrapped(protection) { throw .wouldLose(protection) }
    }
    try commit(next, with: editor.keys) { (table, inventory) throws(VaultError) in try note(id, table, &inventory) }
    installLasting(editor.keys)
    if has(.whenUnlocked) { install(editor.keys) }
    epoch &+= 1
    return id
  }

  private func has(_ protection: ProtectionClass) -> Bool { keys.has(protection) }
}
