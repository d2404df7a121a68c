import Encodings

/// Recognises an unsynced write after a power cut: the file has its length, but any of its sectors may be missing.
extension LogStore {
  /// What a disk writes wholly or not at all, in bytes; larger ones are whole numbers of it.
  static let sectorLength: UInt64 = 512

  /// Whether a record that is not right lacks a sector: from the record on it holds zeros, as no record does that was written. Then nothing
  /// behind the record was acknowledged either, for a sync takes all that comes before.
  /// - Parameters:
  ///   - position: where the record begins.
  ///   - limit: where the file ends.
  func lacksSector(recordAt position: UInt64, to limit: UInt64) throws(AuditLogError) -> Bool {
    let length = try RecordFormat.length(read(RecordFormat.startLength, at: position)) ?? RecordFormat.startLength
    let end = min(limit, position + UInt64(length))
    var at = position
    while at < end {
      let left = Self.sectorLength - offset(of: at) % Self.sectorLength
      let piece = try read(Int(min(left, limit - at)), at: at)
      guard !piece.isEmpty else { return false }
      if piece.allSatisfy({ $0 == 0 }) { return true }
      at += UInt64(piece.count)
    }
    return false
  }
}

extension RecordFormat {
  /// The length that a record's first bytes give; nil where they are not right.
  fileprivate static func length(_ start: [UInt8]) -> Int? {
    var reader = ByteReader(start[...])
    guard let length: UInt32 = reader.integer(), let reverse: UInt32 = reader.integer(), reverse == ~length else { return nil }
    return (minimumLength...maximumLength).contains(Int(length)) ? Int(length) : nil
  }
}
