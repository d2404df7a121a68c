import CommandLine
import JSON
import TerminalUI

/// What `holdfast-wake --check` found when it opened the vault.
struct WakeCheck {
  /// The identities whose keys are open.
  let names: [String]
  /// Whether a wake uses none of them until the owner unlocks once.
  let isInDoubt: Bool

  var json: JSONValue {
    [
      "ok": .bool(exit == .done), "exit": .integer(Int64(exit.rawValue)), "identities": .array(names.map { .string($0) }),
      "in_doubt": .bool(isInDoubt),
    ]
  }

  var text: String {
    if isInDoubt {
      return "The vault opens. But the signer was killed, and a wake uses no key until you unlock once: holdfast up, then Ctrl-C"
    }
    guard !names.isEmpty else {
      return """
        The vault opens, but none of its keys do.
        To let a wake use one: holdfast identity class NAME after-first-unlock
        """
    }
    return "The vault opens. A wake can use: \(names.map { printable($0) }.joined(separator: ", "))"
  }

  /// Locked if no key is used.
  var exit: ExitCode { names.isEmpty || isInDoubt ? .locked : .done }
}
