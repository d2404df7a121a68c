import Mnemonics
import SecretMemory

/// The words of one share while they are typed, in guarded memory. No terminal.
struct WordSheet: ~Copyable {
  /// Words of the longest share.
  static let most = 33
  /// Letters that are kept of one word; the longest of the list has eight.
  static let longest = 15
  private static let width = longest + 1

  /// `width` bytes a place: how many letters, then the letters.
  private var places: SecretBytes
  /// The place where letters go, from 0 on.
  private(set) var cursor = 0
  /// Places up to the last one with a letter.
  private(set) var count = 0

  init() throws(SecretInputError) {
    do throws(SecretBytesError<Never>) { places = try SecretBytes(count: Self.most * Self.width) { _ in } } catch {
      throw .outOfMemory
    }
  }

  /// How many letters a place has.
  borrowing func letters(at place: Int) -> Int { places.withBytes { Int($0[place * Self.width]) } }

  /// What the letters at a place may become.
  borrowing func match(at place: Int) -> ShareWordMatch { withWord(at: place) { _, match in match } }

  /// Lends the letters that are to be shown at a place, those of the word beyond the typed ones included, and what they are.
  borrowing func withWord<R>(at place: Int, _ body: (UnsafeRawBufferPointer, ShareWordMatch) -> R) -> R {
    places.withBytes { places in
      let start = place * Self.width
      let typed = UnsafeRawBufferPointer(rebasing: places[start + 1..<start + 1 + Int(places[start])])
      return withUnsafeTemporaryAllocation(byteCount: ShareText.longestWord, alignment: 1) { word in
        defer { wipe(word) }
        let match = ShareText.match(typed, into: word)
        guard case .word(let length, _) = match else { return body(typed, match) }
        return body(UnsafeRawBufferPointer(rebasing: word.prefix(length)), match)
      }
    }
  }

  /// Whether every word that was typed is one of the list.
  var areKnown: Bool {
    (0..<count).allSatisfy { place in
      if case .word(_, isKnown: true) = match(at: place) { true } else { false }
    }
  }

  mutating func type(_ letter: UInt8) {
    let length = letters(at: cursor)
    guard length < Self.longest else { return }
    let start = cursor * Self.width
    places.mutate { places in
      places[start + 1 + length] = letter
      places[start] = UInt8(length + 1)
    }
    count = max(count, cursor + 1)
  }

  /// Ends the word: it is written out if only one begins like it, and the next place is the cursor's. Nothing at an empty place.
  mutating func endWord() {
    guard letters(at: cursor) > 0 else { return }
    writeOut()
    cursor = min(cursor + 1, Self.most - 1)
  }

  mutating func erase() {
    let length = letters(at: cursor)
    if length > 0 { set(length - 1) } else { cursor = max(cursor - 1, 0) }
  }

  /// Empties the place; an empty one's predecessor.
  mutating func eraseWord() {
    if letters(at: cursor) == 0 { cursor = max(cursor - 1, 0) }
    set(0)
  }

  mutating func previous() {
    writeOut()
    cursor = max(cursor - 1, 0)
  }

  mutating func next() {
    writeOut()
    cursor = min(cursor + 1, count, Self.most - 1)
  }

  /// Words with a space between; places that were left empty are left out.
  borrowing func text() throws(SecretInputError) -> SecretBytes {
    do throws(SecretBytesError<Never>) {
      return try SecretBytes(count: Self.most * Self.width) { text in
        var end = 0
        for place in 0..<count {
          let length = letters(at: place)
          places.withBytes { places in
            for letter in 0..<length { text[end + letter] = places[place * Self.width + 1 + letter] }
          }
          text[end + length] = 0x20
          end += length + 1
        }
      }
    } catch { throw .outOfMemory }
  }

  private mutating func writeOut() {
    let start = cursor * Self.width
    guard case .word(let length, _) = match(at: cursor) else { return }
    // Copied within guarded memory: the word is from the list, found by the letters at this place.
    withUnsafeTemporaryAllocation(byteCount: ShareText.longestWord, alignment: 1) { word in
      defer { wipe(word) }
      withWord(at: cursor) { whole, _ in word.copyMemory(from: whole) }
      places.mutate { places in
        for letter in 0..<length { places[start + 1 + letter] = word[letter] }
        places[start] = UInt8(length)
      }
    }
  }

  private mutating func set(_ length: Int) {
    let start = cursor * Self.width
    places.mutate { places in
      for letter in length..<Self.longest { places[start + 1 + letter] = 0 }
      places[start] = UInt8(length)
    }
    while count > 0, letters(at: count - 1) == 0 { count -= 1 }
  }
}
