public import SecretMemory

/// The words that the letters typed so far may become.
public enum ShareWordMatch: Sendable, Equatable {
  /// The list has no word that begins like this.
  case none
  /// Several do.
  case several
  /// One does. `isKnown` from four letters on: with fewer it is a guess that happens to be the only one.
  case word(length: Int, isKnown: Bool)
}

// Messages about a share while it is typed.

extension ShareText {
  /// Letters of the longest word.
  public static var longestWord: Int { ShareWord.longest }

  /// Looks letters up in the list, in the same time whatever they are.
  /// - Parameters:
  ///   - letters: ASCII, in any case.
  ///   - target: room for `longestWord` bytes: the word, if there is one.
  public static func match(
    _ letters: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> ShareWordMatch {
    guard (1...ShareWord.longest).contains(letters.count), target.count >= ShareWord.longest else { return .none }
    let (index, found) = ShareWord(letters).match(letters: letters.count)
    guard found > 0 else { return .none }
    guard found == 1 else { return .several }
    return .word(
      length: ShareWord(at: index).write(to: target, from: 0), isKnown: letters.count >= enoughLetters)
  }

  /// The number of the kit that a share belongs to, which its first two words say.
  /// - Returns: nil while they are not there, or not in the list.
  public static func kit(beginning text: UnsafeRawBufferPointer) -> String? {
    let words = words(in: text)
    guard words.count >= 2, let first = index(of: text.part(words[0])), let second = index(of: text.part(words[1])) else {
      return nil
    }
    let bits = (UInt64(first) << 10 | UInt64(second)) << 20
    return ShareNumbers(packed: bits).kit
  }

  /// Which word is wrong, if one alone is: another one in its place would make the checksum hold. Two wrong words do not look like
  /// one, because the checksum of SLIP-39 notices any three.
  /// - Returns: from 1 on; nil when there is no such word, or nothing is wrong.
  public static func onlyWrongWord(in text: borrowing SecretBytes) -> Int? {
    guard let symbols = try? text.withBytes({ (text) throws(ShareTextError) in try symbols(of: text) }) else { return nil }
    let count = symbols.count / 2
    guard ShareSymbols.valueLength(count: count) != nil, var tried = try? symbols.duplicate() else { return nil }
    return tried.mutate { bytes in
      let tried = bytes.bindMemory(to: UInt16.self)
      guard !holds(tried) else { return nil }
      for position in 0..<count {
        let before = tried[position]
        defer { tried[position] = before }
        for word in 0..<UInt16(ShareWord.list.count) where word != before {
          tried[position] = word
          if holds(tried) { return position + 1 }
        }
      }
      return nil
    }
  }

  private static func holds(_ symbols: UnsafeMutableBufferPointer<UInt16>) -> Bool {
    let numbers = ShareNumbers(packed: symbols.prefix(ShareNumbers.length).reduce(0) { $0 << 10 | UInt64($1) })
    return ShareChecksum.holds(UnsafeBufferPointer(symbols), isExtendable: numbers.isExtendable)
  }
}
