import CommandLine
import Encodings
import TerminalUI

/// Adds `--home` to the commands in a sentence, so that they work when the reader types them.
struct SuggestedCommands: Sendable {
  private let home: String?

  /// - Parameter home: the value of `--home`; shown from the root, so that the commands work in every folder. Nil if commands find the
  ///   home without it.
  init(home: String?) { self.home = home.map { printable(ShellWord.plainOrQuoted(absolute($0)), limit: 4096) } }

  /// The text with `--home FOLDER` after each `holdfast` that begins a command.
  func text(_ text: String) -> String {
    guard let home else { return text }
    var pieces = text.split(separator: Self.program, omittingEmptySubsequences: false).map(String.init)
    for index in pieces.indices.dropFirst() where Self.beginsCommand(pieces[index]) {
      if home.contains("'"), pieces[index - 1].hasSuffix("'"), let end = pieces[index].firstIndex(of: "'") {
        // Quotes in quotes would read as the end of the command.
        pieces[index].replaceSubrange(end...end, with: "”")
        pieces[index - 1].replaceSubrange(pieces[index - 1].index(before: pieces[index - 1].endIndex)..., with: "“")
      }
      pieces[index] = "--home \(home) " + pieces[index]
    }
    return pieces.joined(separator: Self.program)
  }

  private static let program = "holdfast "
  private static let verbs = Set(Command.holdfast.verbs.map(\.name))

  /// A trial has a folder of its own, whatever the home.
  private static func beginsCommand(_ text: String) -> Bool {
    verbs.contains(String(text.prefix { $0.isASCII && $0.isLetter })) && !text.hasPrefix("up --trial")
  }
}

extension CommandError {
  /// The same error, with `--home` added to the commands that it suggests.
  func naming(_ suggested: SuggestedCommands) -> CommandError {
    var named = CommandError(exit, suggested.text(error), hint: suggested.text(hint))
    (named.usage, named.tryAgainIn) = (usage, tryAgainIn)
    return named
  }
}
