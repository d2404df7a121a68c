import CommandLine
import Encodings
import TerminalUI

/// Makes the commands that a sentence tells the reader to type work as they stand, for a home that was named with `--home`.
struct SuggestedCommands: Sendable {
  private let home: String?

  /// - Parameter home: as it was given with `--home`; nil where commands find the home by themselves.
  init(home: String?) { self.home = home.map { printable(ShellWord.plainOrQuoted($0), limit: 4096) } }

  /// The text with `--home FOLDER` behind each `holdfast` that begins a command.
  func text(_ text: String) -> String {
    guard let home else { return text }
    var pieces = text.split(separator: Self.program, omittingEmptySubsequences: false).map(String.init)
    for index in pieces.indices.dropFirst() where Self.beginsCommand(pieces[index]) {
      pieces[index] = "--home \(home) " + pieces[index]
    }
    return pieces.joined(separator: Self.program)
  }

  private static let program = "holdfast "
  private static let verbs = Set(Command.holdfast.verbs.map(\.name))

  private static func beginsCommand(_ text: String) -> Bool {
    verbs.contains(String(text.prefix { $0.isASCII && $0.isLetter }))
  }
}
