import Mnemonics
import SecretMemory

extension FuzzTarget {
  /// A file that should be a printed page of a recovery kit.
  static let sharePages = FuzzTarget("sharepages") { (bytes) throws(FuzzFault) in
    _ = SharePageText.isPage(bytes)
    guard let words = SharePageText.words(in: bytes) else { return }
    let counts = words.withBytes { text in
      (
        words: text.split(separator: 0x20, omittingEmptySubsequences: false).count,
        isPlain: text.allSatisfy { $0 == 0x20 || (0x61...0x7A).contains($0) }
      )
    }
    try require((20...SharePageText.mostWords).contains(counts.words), "a page has as many words as a share")
    try require(counts.isPlain, "a page's words are small letters")
  }
}
