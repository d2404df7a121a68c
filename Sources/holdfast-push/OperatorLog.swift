import CommandLine
import Platform
import PushProxy
import TerminalUI

/// Standard error, for the operator. In systemd's journal, each line has its priority in front, and no name: the journal has that.
enum OperatorLog {
  static func write(_ remark: Remark) {
    guard isJournal else { return Output.warning("\(PushProgram.name): \(remark.text)") }
    Output.warning("<\(remark.priority.rawValue)>\(remark.text)")
  }

  /// Why the program ends.
  static func write(_ error: CommandError) {
    guard isJournal else {
      return Output.warning(error.text(from: PushProgram.name, width: Terminal.isError ? Terminal.columns(STDERR_FILENO) : 80))
    }
    write(.trouble(error.hint.isEmpty ? error.error : "\(error.error) \(error.hint)"))
  }

  /// Whether systemd's journal reads standard error.
  private static let isJournal = JournalStream.isBehind(STDERR_FILENO, Terminal.environment("JOURNAL_STREAM"))
}
