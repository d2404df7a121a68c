import SecretMemory

/// Opens contents piece by piece. Holds one sealed piece and one open one in memory.
struct PieceReader: ~Copyable {
  private let source: BackupSource
  private let key: SecretBox
  private var contents: ArraySlice<UInt8> = []
  private var number: UInt64 = 0
  /// Bytes of contents that were not opened yet.
  private var left: UInt64

  /// - Parameter length: of all contents, as the authenticated beginning of the file says.
  init(_ source: BackupSource, length: UInt64, under key: SecretBox) {
    (self.source, self.key, left) = (source, key, length)
  }

  /// Whether every byte of the contents was taken and the file ends there.
  /// - Throws: `.goesOn`, and what reading throws.
  func isAtEnd() throws(BackupError) -> Bool {
    guard contents.isEmpty, left == 0 else { return false }
    guard try source.read(1).isEmpty else { throw .goesOn }
    return true
  }

  /// The next bytes of the contents; nil when fewer are left.
  mutating func take(_ count: Int) throws(BackupError) -> [UInt8]? {
    guard UInt64(contents.count) + left >= UInt64(count) else { return nil }
    var taken: [UInt8] = []
    while taken.count < count {
      if contents.isEmpty { try next() }
      let part = contents.prefix(count - taken.count)
      taken += part
      contents = contents.dropFirst(part.count)
    }
    return taken
  }

  private mutating func next() throws(BackupError) {
    let length = Int(min(left, UInt64(Piece.length)))
    let wanted = length + Piece.sealedLength - Piece.length
    let sealed = try source.read(wanted)
    guard sealed.count == wanted else { throw .cut(missing: Piece.sealedLength(of: left) - UInt64(sealed.count)) }
    let isLast = left <= UInt64(Piece.length)
    guard let opened = sealed.withUnsafeBytes({ Piece.open($0, number, isLast: isLast, under: key) }), opened.count == length
    else { throw .pieceDamaged(index: number) }
    contents = opened[...]
    number += 1
    left -= UInt64(length)
  }
}
