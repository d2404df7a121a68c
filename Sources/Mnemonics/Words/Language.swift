extension Mnemonic {
  /// The language of a word list. The raw value is the list's usual name.
  public enum Language: String, CaseIterable, Sendable {
    case english, japanese, korean, spanish, french, italian, czech, portuguese, russian, turkish
    case chineseSimplified = "chinese_simplified"
    case chineseTraditional = "chinese_traditional"

    var wordList: WordList {
      switch self {
      case .english: WordList(WordList.english)
      case .japanese: WordList(WordList.japanese)
      case .korean: WordList(WordList.korean)
      case .spanish: WordList(WordList.spanish)
      case .french: WordList(WordList.french)
      case .italian: WordList(WordList.italian)
      case .czech: WordList(WordList.czech)
      case .portuguese: WordList(WordList.portuguese)
      case .russian: WordList(WordList.russian)
      case .turkish: WordList(WordList.turkish)
      case .chineseSimplified: WordList(WordList.chineseSimplified)
      case .chineseTraditional: WordList(WordList.chineseTraditional)
      }
    }

    /// What stands between two words when they are shown: a space, or the ideographic space U+3000 for Japanese.
    var separator: StaticString { self == .japanese ? "\u{3000}" : " " }
  }
}
