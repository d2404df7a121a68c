public import SecretMemory

/// One share of a SLIP-39 kit: 20 words for a secret of 16 bytes, 33 for 32. The value stays in secret memory.
public final class Share: Sendable {
  /// What the first four words say.
  public let numbers: ShareNumbers
  let value: SecretBox

  init(_ numbers: ShareNumbers, _ value: SecretBox) { (self.numbers, self.value) = (numbers, value) }

  /// Reads the words a person typed: any case, numbers and punctuation between them, each in full or from its first four letters on.
  /// - Parameter words: at most `ShareText.limit` bytes.
  /// - Throws: the first fault.
  public convenience init(words: UnsafeRawBufferPointer) throws(ShareTextError) {
    let symbols = try ShareText.symbols(of: words)
    let (numbers, value) = try symbols.withBytes { (bytes) throws(ShareTextError) in
      try ShareSymbols.read(bytes.bindMemory(to: UInt16.self))
    }
    self.init(numbers, value)
  }

  /// As `init(words:)` with a buffer.
  public convenience init(words: borrowing SecretBytes) throws(ShareTextError) {
    let (numbers, value) = try words.withBytes { (bytes) throws(ShareTextError) in
      let share = try Share(words: bytes)
      return (share.numbers, share.value)
    }
    self.init(numbers, value)
  }

  /// The words, one space between them, in ASCII.
  /// - Throws: `.outOfMemory`.
  public func words() throws(ShareError) -> SecretBytes {
    let symbols = try ShareSymbols.written(numbers, value)
    return try symbols.withBytes { (bytes) throws(ShareError) in try ShareText.text(of: bytes.bindMemory(to: UInt16.self)) }
  }

  /// 20 to 33.
  public var wordCount: Int { ShareSymbols.count(valueLength: value.count) }
}

extension Share: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows no word.
  public var description: String { "<share>" }
  /// Shows no word.
  public var debugDescription: String { "<share>" }
  /// Without children, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
