import Platform
import TerminalUI

/// What the text for people depends on: the time and the terminal.
package struct Reader: Sendable {
  /// Seconds since 1970.
  package var now: Int64
  /// Whether the terminal shows colours.
  package var colors = false
  /// The width of the terminal; nil if the output is not read on one.
  package var columns: Int?

  package init(now: Int64, colors: Bool = false, columns: Int? = nil) {
    (self.now, self.colors, self.columns) = (now, colors, columns)
  }

  /// The present time and this process's terminal.
  package static var present: Reader {
    Reader(now: Int64(time(nil)), colors: Terminal.hasColors, columns: Terminal.isOutput ? Terminal.columns() : nil)
  }
}
