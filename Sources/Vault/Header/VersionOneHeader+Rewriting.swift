import Encodings
import SecretMemory

extension ProvenSlot {
  /// As the other, for a header of version 1: the slot is its only one. Its keys are those it will have in version 2.
  static func find(
    _ opener: some SlotOpener, in header: VersionOneHeader
  ) throws(KeyStoreError) -> (ProvenSlot, ClassKeys)? {
    guard opener.type == .passphrase else { throw .vault(.noSuchSlot) }
    guard header.slots.count == 1, let slot = header.slots.first, let description = slot.keyslot.description else {
      throw .corrupt("header")
    }
    if let found = try opened(header, slot, by: try opener.secret(of: description)) { return found }
    return try opened(header, slot, by: try opener.earlierSecret(of: description))
  }

  private static func opened(
    _ header: VersionOneHeader, _ slot: VersionOneHeader.Slot, by shown: consuming SecretBytes?
  ) throws(KeyStoreError) -> (ProvenSlot, ClassKeys)? {
    guard let shown else { return nil }
    let secret = SecretBox(shown)
    return try keyStoreFault { () throws(VaultError) in
      guard let keys = try secret.withBytes({ bytes throws(VaultError) in try header.keys(of: slot, bytes) }) else { return nil }
      return (try ProvenSlot(slot.keyslot, secret, of: header.vaultID), keys)
    }
  }
}

extension Vault.Open {
  /// Writes an opened vault of version 1 as one of version 2, in one transaction: the same slot and class keys, wrapped again,
  /// and keys for the classes that version 1 did not have.
  init(
    rewriting old: VersionOneHeader, _ stored: HeaderTable.Stored, _ secret: SecretBox, _ keys: ClassKeys,
    _ inventory: Inventory, in database: Database, folder: HomeFolder, machine: Machine, kinds: RecordKinds
  ) throws(VaultError) {
    guard let slot = old.slots.first?.keyslot else { throw .corrupt(what: "header") }
    let device = try DeviceKeyFile(folder: folder, machine: machine).makeFirst()
    var editor = HeaderEditor(versionOne: old, keys, device: device)
    let copy = try vaultFault(.outOfMemory) { try secret.duplicate() }
    try editor.put(SlotEnrolment(type: .passphrase, parameters: slot.parameters, secret: copy), id: slot.id)
    try editor.complete()
    let header = try editor.finished()
    var full = inventory
    full.strict = try RecordTable(database, header.vaultID, keys, kinds).inventory().strict
    var summary = VaultSummary(generation: header.generation, revision: 1, inventory: full)
    try database.transaction { () throws(VaultError) in
      summary = try HeaderTable.write(header, keys, revision: 1, full, to: database)
    }
    self.init(
      folder: folder, machine: machine, kinds: kinds, database: database, header: header, headerCode: [],
      deviceFinding: .found(device),
      keys: keys,
      inventory: inventory)
    take(summary)
    try took(header)
  }
}
