import Encodings
package import OwnerAPI
import TerminalUI

// Values of a response, formatted for people.

/// A text of a response made printable, with single spaces between its words; empty for nil. Two spaces would look like the columns
/// of a line. If the text holds a command, that is neither kept on one line nor completed with `--home`, as commands are that the signer
/// suggests.
package func shown(_ text: String?, limit: Int = 200) -> String { ours(text, limit: limit).withoutCommands() }

/// The same for a sentence of the signer's own, which may suggest a command.
package func ours(_ text: String?, limit: Int = 200) -> String { printableWords(text ?? "", limit: limit) }

/// The same as `shown` for what a stranger wrote: it ends no quotation either.
package func foreign(_ text: String?, limit: Int = 200) -> String {
  let text = shown(text, limit: limit)
  return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "“" || $0 == "”" ? "\"" : $0 }))
}

/// The name that somebody gave himself or an app, as it stands in a sentence: `“Coracle”`.
package func quoted(_ name: String) -> String { "“\(foreign(name))”" }

/// A number of a response; empty for nil.
package func shown(_ number: Int64?) -> String { number.map { "\($0)" } ?? "" }

/// A word of the contract; empty for nil.
package func shown(_ word: (some Word)?) -> String { shown(word?.rawValue) }

/// Texts with commas between them. They may be a stranger's.
package func list(_ texts: [String]) -> String { texts.map { foreign($0) }.joined(separator: ", ") }

/// Local date and time; empty for nil.
package func date(_ seconds: Int64?) -> String { seconds.map(moment) ?? "" }

extension TextTable {
  /// The table for a reader. Below it stands what a narrow terminal lacks.
  package func text(for reader: Reader) -> String {
    let text = text(within: reader.columns, colors: reader.colors)
    let missing = leftOut(within: reader.columns)
    guard !missing.isEmpty else { return text }
    let note = "Not shown in a window this narrow: \(missing.joined(separator: ", ")). Widen the window, or add --json."
    return text + "\n\n" + wrapped(note, width: max(40, reader.columns ?? 80)).joined(separator: "\n")
  }
}

/// Names and values, one pair a line. Empty values are left out.
/// - Parameter colors: whether the names are bold.
package func pairs(_ rows: [(String, String)], colors: Bool = false) -> String {
  let filled = rows.filter { !$0.1.isEmpty }
  let width = (filled.map(\.0.count).max() ?? 0) + 2
  return filled.map { name, value in
    styled(name, .bold, if: colors) + String(repeating: " ", count: width - name.count)
      + value.split(separator: "\n").joined(separator: "\n" + String(repeating: " ", count: width))
  }.joined(separator: "\n")
}
