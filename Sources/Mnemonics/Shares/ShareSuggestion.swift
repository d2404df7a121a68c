public import SecretMemory

extension ShareText {
  /// As many letters may be wrong, missing, too many or swapped.
  static let mostMistakes = 2

  /// The word of the list nearest to the unknown one at `position`, for the eyes of the person who typed it and nobody else:
  /// it says almost as much as the word does.
  /// - Parameters:
  ///   - text: what `Share(words:)` refused.
  ///   - position: as in `.unknownWord`; the first word is 1.
  /// - Returns: nil when nothing is near, or several words are equally near.
  public static func suggestion(for text: borrowing SecretBytes, at position: Int) -> SecretBytes? {
    text.withBytes { text in
      let words = words(in: text)
      guard words.indices.contains(position - 1) else { return nil }
      guard let index = nearest(to: text.part(words[position - 1])) else { return nil }
      let word = ShareWord(at: index)
      return try? SecretBytes(count: word.count) { _ = word.write(to: $0, from: 0) }
    }
  }

  private static func nearest(to typed: UnsafeRawBufferPointer) -> UInt16? {
    guard typed.count <= longestTyped else { return nil }
    var (best, least, isShared): (UInt16?, Int, Bool) = (nil, mostMistakes + 1, false)
    for index in 0..<UInt16(ShareWord.list.count) {
      let distance = mistakes(typed, ShareWord(at: index))
      if distance < least { (best, least, isShared) = (index, distance, false) } else if distance == least { isShared = true }
    }
    return isShared ? nil : best
  }

  private static let longestTyped = 16

  /// How many letters must be changed, inserted, left out or swapped with their neighbour (optimal string alignment).
  private static func mistakes(_ typed: UnsafeRawBufferPointer, _ word: ShareWord) -> Int {
    guard abs(typed.count - word.count) <= mostMistakes else { return .max }
    let width = word.count + 1
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (typed.count + 1) * width) { table in
      defer { wipe(UnsafeMutableRawBufferPointer(table)) }
      for row in 0...typed.count {
        for column in 0..<width {
          guard row > 0, column > 0 else {
            table[row * width + column] = UInt8(max(row, column))
            continue
          }
          let (a, b) = (lowercase(typed[row - 1]), word[column - 1])
          let diagonal = table[(row - 1) * width + column - 1] + (a == b ? 0 : 1)
          var least = min(diagonal, table[(row - 1) * width + column] + 1, table[row * width + column - 1] + 1)
          if row > 1, column > 1, a == word[column - 2], lowercase(typed[row - 2]) == b {
            least = min(least, table[(row - 2) * width + column - 2] + 1)
          }
          table[row * width + column] = least
        }
      }
      return Int(table[typed.count * width + word.count])
    }
  }
}
