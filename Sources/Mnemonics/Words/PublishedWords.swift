import SecretMemory

extension Mnemonic {
  /// Whether everybody knows these words, so that anybody can have their keys: examples of a standard, of a book or of a developer's tool, and
  /// words with a shape that nobody gets by chance: one byte or one word over and over, such as “abandon … about”.
  public borrowing func isPublished() throws(MnemonicError) -> Bool {
    if secret.withBytes({ entropy in entropy.allSatisfy { $0 == entropy[0] } }) { return true }
    if try isOneWord() { return true }
    return try words().withBytes { words in Self.published.contains { $0.utf8.elementsEqual(words) } }
  }

  /// Whether all words but the last are the same. The last one has the checksum.
  private borrowing func isOneWord() throws(MnemonicError) -> Bool {
    let count = wordCount
    return try WordBits.withChecksum(secret).withBytes { bits in
      (1..<count - 1).allSatisfy { WordBits.index(at: $0, in: bits) == WordBits.index(at: 0, in: bits) }
    }
  }

  private static let published = [
    // NIP-06
    "leader monkey parrot ring guide accident before fence cannon height naive bean",
    """
    what bleak badge arrange retreat wolf trade produce cricket blur garlic valid proud rude strong choose busy staff weather area salt \
    hollow arm fade
    """,
    // BIP-39
    "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic",
    "gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog",
    """
    hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word \
    shrug inflict delay length
    """,
    "horn tenant knee talent sponsor spell gate clip pulse soap slush warm silver nephew swap uncle crack brave",
    """
    panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick \
    inner drive ghost inside
    """,
    "cat swing flag economy stadium alone churn speed unique patch report train",
    "light rule cinnamon wrap drastic word pride squirrel upgrade then income fatal apart sustain crack supply proud access",
    """
    all hour make first leader extend hole alien behind guard gospel lava path output census museum junior mass reopen famous sing \
    advance salt reform
    """,
    "vessel ladder alter error federal sibling chat ability sun glass valve picture",
    "scissors invite lock maple supreme raw rapid void congress muscle digital elegant little brisk hair mango congress clump",
    """
    void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist \
    slush involve unfold
    """,
    // Mastering Bitcoin
    "army van defense carry jealous true garbage claim echo media make crunch",
    // Truffle and Ganache; Hardhat's are one word over and over.
    "candy maple cake sugar pudding cream honey rich smooth crumble sweet treat",
    "myth like bonus scare over problem client lizard pioneer submit female collect",
  ]
}
