import SecretMemory

/// Seals contents piece by piece into a file that is being made. Holds one piece in memory.
struct PieceWriter: ~Copyable {
  private let file: NewFile
  private let key: SecretBox
  private var buffer: [UInt8] = []
  private var number: UInt64 = 0

  init(_ file: NewFile, under key: SecretBox) {
    (self.file, self.key) = (file, key)
    buffer.reserveCapacity(2 * Piece.length)
  }

  /// Adds contents.
  mutating func write(_ bytes: [UInt8]) throws(BackupError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // A full piece waits for what follows: only then is it known not to be the last.
      if buffer.count == Piece.length { try flush(isLast: false) }
      let count = min(Piece.length - buffer.count, rest.count)
      buffer += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
  }

  /// Seals what is left as the last piece.
  mutating func finish() throws(BackupError) { try flush(isLast: true) }

  private mutating func flush(isLast: Bool) throws(BackupError) {
    try file.write(try Piece.seal(buffer, number, isLast: isLast, under: key))
    number += 1
    buffer.removeAll(keepingCapacity: true)
  }
}
