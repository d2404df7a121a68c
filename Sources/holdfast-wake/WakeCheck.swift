import CommandLine
import JSON
import TerminalUI

/// What `holdfast-wake --check` says of an opened vault.
enum WakeCheck {
  static func json(_ names: [String]) -> JSONValue {
    let code = exit(names)
    return ["ok": .bool(code == 0), "exit": .integer(Int64(code)), "identities": .array(names.map { .string($0) })]
  }

  static func text(_ names: [String]) -> String {
    guard !names.isEmpty else {
      return """
        The vault opens, but none of its keys do.
        To let a wake use one: holdfast identity class NAME after-first-unlock
        """
    }
    return "The vault opens. A wake can use: \(names.map { printable($0) }.joined(separator: ", "))"
  }

  /// Locked if no key is open.
  static func exit(_ names: [String]) -> Int32 { (names.isEmpty ? ExitCode.locked : .done).rawValue }
}
