/// For the fuzzer: any bytes, behind the seals.
extension ExtensionState {
  /// What any bytes say as a state's plaintext. Nil for what no state has.
  package static func ofAny(_ bytes: [UInt8]) -> ExtensionState? {
    bytes.withUnsafeBytes { bytes in
      var reader = StateReader(bytes)
      return (try? reader.state())?.state
    }
  }
}

extension ExtensionJournal {
  /// The entries of any bytes as a journal's file. Nil for a file whose head nothing vouches for.
  package static func entriesOfAny(_ file: [UInt8], key: ExtensionKey) -> [JournalEntry]? {
    try? JournalScan(file, key).entries
  }

  /// Whether any bytes that are read as a record are the same when they are written and read again, and once more. Nil for what is no record.
  package static func recordOfAny(_ plaintext: [UInt8]) -> (isSame: Bool, isStable: Bool)? {
    guard let record = JournalRecord(plaintext) else { return nil }
    let again = JournalRecord(record.plaintext)
    return (again == record, again?.plaintext == record.plaintext)
  }
}
