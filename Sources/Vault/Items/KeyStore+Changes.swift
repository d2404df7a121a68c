internal import Locks
internal import SecretMemory

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
  func put(_ items: [NewItem], removing names: [ItemName]) throws(KeyStoreError) {
    try change { () throws(KeyStoreError) in
      var all = names.flatMap(Self.removal)
      for item in items { all += try changes(for: item, over: try stored(item.name)) }
      return all
    }
  }

  /// Of two threads that store the same name at once, one finds the other's item.
  func change(_ body: () throws(KeyStoreError) -> [RecordChange]) throws(KeyStoreError) {
    try vault.changingItems.withLock { _ throws(KeyStoreError) in
      let changes = try body()
      do throws(VaultError) { try vault.transaction(changes) } catch { throw KeyStoreError(item: error) }
    }
  }

  func stored(_ name: ItemName) throws(KeyStoreError) -> ItemNote? {
    let id = name.recordID
    let value: [UInt8]?
    do { value = try vault.value(.itemNote, id: id) } catch { throw KeyStoreError(item: error) }
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

  static func removal(of name: ItemName) -> [RecordChange] {
    let id = name.recordID
    return [.delete(kind: .itemNote, id: id), .delete(kind: .itemValue, id: id)]
  }
}

extension KeyStoreError {
  /// What a fault of the vault means for who wants an item.
  init(item error: VaultError) {
    self =
      switch error {
      case .notFound: .itemNotFound
      case .locked: .interactionNotAllowed
      case .wrongPassphrase(let wait), .throttled(let wait): .authenticationFailed(triesLeft: nil, waitSeconds: wait)
      case .corrupt(let what): .corrupt(what)
      default: .vault(error)
      }
  }
}
