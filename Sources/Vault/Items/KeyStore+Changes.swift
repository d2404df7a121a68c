import Platform
import SecretMemory

/// An item as it is to be.
struct NewItem: Sendable {
  let name: ItemName
  let value: SecretBox
  let permissions: ProtectionClass
  let label: String
  let remark: [UInt8]
  /// Nil for now.
  let changedAt: Int64?

  init(
    _ name: ItemName, _ value: SecretBox, _ permissions: ProtectionClass, label: String = "", remark: [UInt8] = [],
    changedAt: Int64? = nil
  ) {
    (self.name, self.value, self.permissions) = (name, value, permissions)
    (self.label, self.remark, self.changedAt) = (label, remark, changedAt)
  }
}

/// How changes are made: looked up and written in one step, note and value in one transaction.
extension KeyStore {
  /// Puts some items and removes others, all or nothing.
  func put(_ items: [NewItem], removing names: [ItemName], with shown: Shown? = nil) throws(KeyStoreError) {
    try change(with: shown) { () throws(KeyStoreError) in
      var all = names.flatMap(Self.removal)
      for item in items { all += try changes(for: item, over: try stored(item.name)) }
      return all
    }
  }

  /// Of two threads that store the same name at once, one finds the other's item.
  /// - Parameter shown: what opens classes that need presence.
  func change(with shown: Shown? = nil, _ body: () throws(KeyStoreError) -> [RecordChange]) throws(KeyStoreError) {
    try vault.changingItems.withLock { () throws(KeyStoreError) in
      let changes = try body()
      try keyStoreFault { () throws(VaultError) in
        try vault.withOpen { open throws(VaultError) in
          var keys = open.keys
          if let shown { keys = try open.keys(with: shown) }
          try open.make(changes, with: keys)
        }
      }
    }
  }

  func stored(_ name: ItemName) throws(KeyStoreError) -> ItemNote? {
    let id = name.recordID
    let value: [UInt8]?
    do { value = try vault.value(.itemNote, id: id) } catch { throw KeyStoreError(error) }
    guard let value else { return nil }
    guard let note = ItemNote(Record(id: id, value: value)) else { throw .corrupt(RecordKind.itemNote.name) }
    return note
  }

  func changes(for item: NewItem, over old: ItemNote?) throws(KeyStoreError) -> [RecordChange] {
    guard item.value.count <= Self.maximumValue else { throw .vault(.tooLong(limit: Self.maximumValue)) }
    guard item.label.utf8.count <= ItemNote.maximumLabel else { throw .vault(.tooLong(limit: ItemNote.maximumLabel)) }
    guard item.remark.count <= ItemNote.maximumRemark else { throw .vault(.tooLong(limit: ItemNote.maximumRemark)) }
    let now = clock.milliseconds()
    let note = ItemNote(
      name: item.name, permissions: item.permissions, madeAt: old?.madeAt ?? now, changedAt: item.changedAt ?? now,
      label: item.label, remark: item.remark)
    let id = item.name.recordID
    return [.put(.itemNote, id, note.recordValue, note.recordClass), .put(.itemValue, id, item.value, item.permissions)]
  }

  /// The value of an item, opened with what was shown.
  func value(of name: ItemName, with shown: Shown) throws(KeyStoreError) -> SecretBox {
    try keyStoreFault { () throws(VaultError) in
      try vault.withOpen { open throws(VaultError) in
        try RecordTable(open.database, open.header.vaultID, try open.keys(with: shown), open.kinds).secret(
          .itemValue, name.recordID)
      }
    }
  }

  func changePermissions(
    of name: ItemName, to permissions: ProtectionClass, with shown: Shown?, _ value: () throws(KeyStoreError) -> SecretBox
  ) throws(KeyStoreError) {
    try change(with: shown) { () throws(KeyStoreError) in
      guard let old = try stored(name) else { throw .itemNotFound }
      let item = NewItem(
        name, try value(), permissions, label: old.label, remark: old.remark, changedAt: old.changedAt)
      return try changes(for: item, over: old)
    }
  }

  static func removal(of name: ItemName) -> [RecordChange] {
    let id = name.recordID
    return [.delete(kind: .itemNote, id: id), .delete(kind: .itemValue, id: id)]
  }
}

extension SecretBox {
  /// An own copy.
  func duplicated() throws(KeyStoreError) -> SecretBytes {
    do { return try duplicate() } catch { throw .vault(.outOfMemory) }
  }
}
