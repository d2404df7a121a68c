import Mnemonics
import Platform
import SecretMemory

/// Reads shares at a terminal word by word. Each word is looked up while it is typed, each share is checked at its end, and a
/// wrong word can be corrected in its place.
///
/// It uses the terminal's alternate screen, which is closed after the last share, or when a signal ends it.
public struct ShareTyping: ~Copyable {
  /// Words of a share of a secret of 16 and of 32 bytes.
  private static let usualLengths = [20, 33]

  private let terminal: Int32
  private var sheet: WordSheet
  private var screen = ShareScreen()
  private var keys = KeyReader()

  /// Whether the terminal knows how to show a screen that leaves nothing behind.
  public static var isPossible: Bool {
    guard let kind = Terminal.environment("TERM") else { return false }
    return kind != "dumb" && Terminal.isInput
  }

  /// - Throws: `.noTerminal`, `.outOfMemory`.
  public init() throws(SecretInputError) {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { throw .noTerminal }
    try self.init(terminal)
  }

  private init(_ terminal: Int32) throws(SecretInputError) {
    self.terminal = terminal
    do throws(SecretInputError) { sheet = try WordSheet() } catch {
      close(terminal)
      throw error
    }
  }

  deinit { close(terminal) }

  /// Takes shares until there are enough.
  /// - Parameter most: so many shares, and no kit that is complete, are enough; nil for a complete kit.
  /// - Throws: `.interrupted` when the person gave up.
  public mutating func take(into intake: inout ShareIntake, most: Int? = nil) throws(SecretInputError) {
    while true {
      let quiet = try QuietTerminal(terminal, byKey: true)
      Output.write(Array(ShareScreen.enter.utf8), to: terminal)
      let end = try? typing(&intake, most, quiet.signals)
      Output.write(Array(ShareScreen.leave.utf8), to: terminal)
      quiet.restore()
      switch end {
      case .complete?: return
      case .signal(let signal)?:
        kill(getpid(), signal)
        // Suspended and resumed: continue. Any other signal that did not end us asks us to stop.
        if signal != SIGTSTP { throw .interrupted }
      case .givenUp?, nil: throw .interrupted
      }
    }
  }

  private enum Outcome { case complete, givenUp, signal(Int32) }

  private mutating func typing(
    _ intake: inout ShareIntake, _ most: Int?, _ signals: Int32
  ) throws(SecretInputError) -> Outcome {
    while true {
      screen.title = title(intake, most)
      screen.columns = Terminal.columns(terminal)
      try screen.draw(sheet).write(to: terminal)
      switch KeyPress(terminal, orSignalFrom: signals) {
      case .signal(let signal): return .signal(signal)
      case .gone: return .givenUp
      case .byte(let byte):
        guard let key = keys.key(byte) else { continue }
        if key == .end { return .givenUp }
        try press(key, &intake)
        if let most, intake.count >= most { return .complete }
        if most == nil, key == .enter, intake.isComplete, intake.check() == nil { return .complete }
      }
    }
  }

  private mutating func press(_ key: TypedKey, _ intake: inout ShareIntake) throws(SecretInputError) {
    if key != .enter { screen.message = "" }
    switch key {
    case .letter(let letter): sheet.type(letter)
    case .space:
      sheet.endWord()
      try sayWhatIsThere(intake)
    case .enter:
      let isWord = sheet.letters(at: sheet.cursor) > 0
      sheet.endWord()
      try enter(isWord, &intake)
    case .erase: sheet.erase()
    case .eraseWord: sheet.eraseWord()
    case .previous: sheet.previous()
    case .next: sheet.next()
    case .takeBack:
      screen.message = intake.forgetLast() ? "The last share was removed." : "There is no share to remove."
    case .end: break
    }
  }

  /// Enter ends a word as a space does; when enough words are there, or at an empty place, it ends the share.
  private mutating func enter(_ isWord: Bool, _ intake: inout ShareIntake) throws(SecretInputError) {
    guard sheet.count > 0 else { return }
    let words = try sheet.text()
    let isEnd = !isWord || Self.lengths(intake).contains(sheet.count) || isWhole(words)
    guard isEnd else {
      let lengths = Self.lengths(intake).map { "\($0)" }.joined(separator: " or ")
      screen.message = "\(sheet.count) \(sheet.count == 1 ? "word" : "words") so far. A share has \(lengths)."
      return try sayWhatIsThere(intake)
    }
    guard sheet.areKnown else {
      screen.message = "A word with a question mark is not in the word list. Go back to it with the arrow keys."
      return
    }
    do throws(ShareEntryError) {
      try intake.take(words)
      screen.message = "Taken."
      if let error = intake.check() { screen.message = error.text + "\n" + error.hint }
    } catch {
      screen.message = error.text + "\n" + hint(error, words)
      // A share without a mistake that does not belong here is not corrected: another one is typed in its place.
      guard isWhole(words) else { return }
    }
    sheet = try WordSheet()
  }

  /// How many words the next share has: as the one before, or one of the usual lengths.
  private static func lengths(_ intake: ShareIntake) -> [Int] { intake.wordCount.map { [$0] } ?? usualLengths }

  private func hint(_ error: ShareEntryError, _ words: borrowing SecretBytes) -> String {
    guard let word = ShareText.onlyWrongWord(in: words) else { return error.hint }
    return "If only one word is wrong, it is word \(word). Go back to it with the arrow keys."
  }

  /// Says, as soon as the words show it, that they are of another kit or that they are complete.
  private mutating func sayWhatIsThere(_ intake: ShareIntake) throws(SecretInputError) {
    let words = try sheet.text()
    let kit = words.withBytes { ShareText.kit(beginning: $0) }
    if let kit, let first = intake.kit, kit != first {
      screen.message = "These words belong to kit \(kit), but the last share belongs to kit \(first)."
    } else if isWhole(words) {
      screen.message = "All \(sheet.count) words fit together. Press Enter."
    }
  }

  private func isWhole(_ words: borrowing SecretBytes) -> Bool {
    guard sheet.count >= Self.usualLengths[0], sheet.areKnown else { return false }
    do { _ = try Share(words: words) } catch { return false }
    return true
  }

  /// Says of which kit a share is wanted, and how many are still missing. Shares may come in any order, so no sheet is asked for by its number.
  private func title(_ intake: ShareIntake, _ most: Int?) -> String {
    guard let kit = intake.kit, let missing = intake.progress?.missing, most == nil else {
      return "Type or paste the words of a share."
    }
    let rest = missing.isEmpty ? "one more share shows which one is wrong" : missing
    let ofThisKit = " of this kit"
    return "Next share of kit \(kit) (any order): \(rest.hasSuffix(ofThisKit) ? String(rest.dropLast(ofThisKit.count)) : rest)."
  }
}
