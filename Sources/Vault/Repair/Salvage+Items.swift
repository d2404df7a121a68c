extension Salvage {
  /// What removes the items of programs whose values are lost.
  /// - Throws: `.io`, `.corrupt`.
  public func removalOfEmptyItems() throws(VaultError) -> [RecordChange] {
    var changes: [RecordChange] = []
    for id in ids[.itemNote] ?? [] where try vault.protection(of: .itemValue, id: id) == nil {
      changes.append(.delete(kind: .itemNote, id: id))
    }
    return changes
  }
}
