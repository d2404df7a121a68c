import Curve

extension SecretKey {
  /// Whether the key has a shape that nobody gets by chance and thieves try first: a small number, one just below the group order, a
  /// pattern that repeats, or bytes that count up or down. A random key has one of them less than once in 2^120 times.
  ///
  /// Keys from a weak phrase or a broken generator are not found.
  borrowing func isGuessable() -> Bool {
    withBytes { key in
      let (first, second) = (key[..<16], key[16...])
      let isSmall = first.allSatisfy { $0 == 0 }
      let isNearTheEnd = first.dropLast().allSatisfy { $0 == 0xFF } && first[15] >= 0xFE
      let isCounted = key.indices.dropFirst(2).allSatisfy { key[$0] &- key[$0 - 1] == key[1] &- key[0] }
      return isSmall || isNearTheEnd || first.elementsEqual(second) || isCounted
    }
  }
}
