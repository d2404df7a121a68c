/// A word of a share: up to eight letters, the first in the highest byte, zeros behind.
///
/// Finding one reads the whole list whatever the word is, so neither times nor caches reveal which it was.
struct ShareWord {
  /// Letters of the longest word.
  static let longest = 8
  /// The list of SLIP-39, packed once from the program's constants.
  static let list: [UInt64] = WordList.slip39.bytes.split(separator: 0x20).map {
    ShareWord(UnsafeRawBufferPointer(rebasing: $0)).letters
  }

  let letters: UInt64

  /// - Parameter text: ASCII; letters after the eighth do not count, case neither.
  init(_ text: UnsafeRawBufferPointer) {
    var letters: UInt64 = 0
    for place in 0..<Self.longest {
      letters = letters << 8 | UInt64(place < text.count ? ShareText.lowercase(text[place]) : 0)
    }
    self.letters = letters
  }

  /// - Parameter index: 0 to 1023.
  init(at index: UInt16) {
    var found: UInt64 = 0
    Self.list.withUnsafeBufferPointer { list in
      for place in list.indices { found |= list[place] & Self.allOnes(ifZero: UInt64(place) ^ UInt64(index)) }
    }
    letters = found
  }

  /// The word of the list that begins with the first `letters` of this one; there is at most one from four letters on.
  func index(letters count: Int) -> UInt16? {
    let (index, found) = match(letters: count)
    return found == 0 ? nil : index
  }

  /// - Parameter count: how many letters are compared, 1 to `longest`.
  /// - Returns: how many words of the list begin with that many letters of this one, and the index of one of them.
  func match(letters count: Int) -> (index: UInt16, found: Int) {
    let looked = UInt64.max << UInt64(8 * (Self.longest - count))
    var (found, index): (UInt64, UInt64) = (0, 0)
    Self.list.withUnsafeBufferPointer { list in
      for place in list.indices {
        let isIt = Self.allOnes(ifZero: (list[place] ^ letters) & looked)
        found += isIt & 1
        index |= UInt64(place) & isIt
      }
    }
    return (UInt16(truncatingIfNeeded: index), Int(found))
  }

  var count: Int { Self.longest - letters.trailingZeroBitCount / 8 }

  subscript(place: Int) -> UInt8 { UInt8(truncatingIfNeeded: letters >> UInt64(8 * (Self.longest - 1 - place))) }

  /// - Returns: how many letters were written.
  func write(to target: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
    for place in 0..<count { target[start + place] = self[place] }
    return count
  }

  private static func allOnes(ifZero difference: UInt64) -> UInt64 { (difference | (0 &- difference)) >> 63 &- 1 }
}
