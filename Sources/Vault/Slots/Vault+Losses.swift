import Encodings

extension Vault {
  /// The classes whose records nobody could ever open, or enrol again, if a slot were removed. Changes nothing.
  /// - Throws: `.noSuchSlot`, `.io`, `.closed`; for a slot that cannot be removed at all, what `removeSlot` throws.
  public func classesLost(byRemoving id: UInt32) throws(VaultError) -> [ProtectionClass] {
    try withOpen { open throws(VaultError) in
      guard let slot = open.header.slot(id) else { throw VaultError.noSuchSlot }
      let rest = open.header.slots.filter { $0.id != id }
      try Entitlement.checkEnough(rest.compactMap { SlotType(rawValue: $0.type) })
      return try open.lost(leaving: rest, passkeysChange: slot.type == SlotType.passkey.rawValue)
    }
  }

  /// The same if another passkey were added: the classes that only the earlier passkeys open, and no recovery kit.
  /// - Throws: `.io`, `.closed`.
  public var classesLostByAPasskey: [ProtectionClass] {
    get throws(VaultError) {
      try withOpen { open throws(VaultError) in try open.lost(leaving: open.header.slots, passkeysChange: true) }
    }
  }

  /// Whether the classes of this device belong to another device, or this one has lost its device secret: see `bindToThisDevice`.
  /// - Throws: `.closed`.
  public var isOfAnotherDevice: Bool {
    get throws(VaultError) { try withOpen { open in open.device == nil } }
  }

  /// What keeps the classes of this device on this device.
  /// - Throws: `.closed`.
  public var deviceBinding: DeviceBinding {
    get throws(VaultError) { try withOpen { open in DeviceBinding(open.deviceFinding, open.machine) } }
  }

  /// How many records there are of some classes, by kind. Opens none.
  /// - Throws: `.io`, `.closed`.
  public func counts(of classes: [ProtectionClass]) throws(VaultError) -> [RecordKind: Int] {
    try withOpen { open throws(VaultError) in
      var counts: [RecordKind: Int] = [:]
      for protection in classes {
        let rows = try open.database.prepare("SELECT kind, count(*) FROM records WHERE class = ? GROUP BY kind")
        try rows.bind(1, Int64(protection.rawValue))
        while try rows.step() {
          guard let kind = open.kinds[column: rows.integer(0)] else { continue }
          counts[kind, default: 0] += Int(clamping: rows.integer(1))
        }
      }
      return counts
    }
  }
}

extension Vault.Open {
  /// What `change` would refuse without the owner's acceptance.
  /// - Parameters:
  ///   - slots: those that are left.
  ///   - passkeysChange: whether the enrolment is another, so that what is only for the present passkeys is for none.
  fileprivate func lost(leaving slots: [Keyslot], passkeysChange: Bool) throws(VaultError) -> [ProtectionClass] {
    let (header, inUse) = (header, try table.classesInUse())
    return inUse.filter { protection in
      let isEnrolled = passkeysChange && HeaderEditor.enrolledClasses.contains(protection)
      let isLeft = slots.contains { slot in
        slot.wrap(of: protection) != nil && !(isEnrolled && slot.type == SlotType.passkey.rawValue)
      }
      return header.isWrapped(protection) && !isLeft
    }.sorted { $0.rawValue < $1.rawValue }
  }
}
