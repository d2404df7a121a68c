import SecretMemory
import Vault

extension FuzzTarget {
  /// A backup file: its beginning as a stranger may have written it, and its contents as they come out of the pieces; the list of
  /// revocations beside it, before and behind its seal. What is read has one form.
  static let backup = FuzzTarget("backup") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    for text in [input, Array("HFBACKUP".utf8) + [0, 0, 0, 1] + input] {
      var (rest, longest) = (text[...], 0)
      let read = try? BackupPrologue.read { count throws(BackupError) in
        longest = max(longest, count)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
      try limit(longest)
      if let read {
        try require(Array(text.prefix(text.count - rest.count)) == read.prologue.bytes + read.code, "a beginning has one form")
      }
    }
    if let list = RevocationList(contents: input) { try require(list.contents == input, "a list has one form") }
    for text in [input, Array("HFREVOKE".utf8) + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 16) + input] {
      let opened = try? RevocationList(opening: text, of: [UInt8](repeating: 0, count: 16), under: listKey)
      try require(opened == nil, "nobody seals without the key")
    }
    var rest = input[...]
    if let summary = BackupSummary(Array(rest.prefix(BackupSummary.length))) {
      try require(summary.bytes == Array(rest.prefix(BackupSummary.length)), "a summary has one form")
      rest = rest.dropFirst(BackupSummary.length)
    }
    var start = rest
    while let row = try SealedRow.read({ count throws(FuzzFault) -> [UInt8]? in
      try limit(count)
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }) {
      try require(row.bytes == Array(start.prefix(start.count - rest.count)), "a row has one form")
      start = rest
    }
  }

  private static let listKey: SecretBox = {
    guard let key = try? SecretBytes(count: 32, filling: { (_) throws(Never) in }) else {
      fatalError("no memory")  // not a stranger's doing
    }
    return SecretBox(key)
  }()

  /// No single read is longer than the longest record.
  private static func limit(_ count: Int) throws(FuzzFault) {
    try require((0...(18 << 20)).contains(count), "a length is bounded before it is read")
  }
}
