import CommandLine
import OwnerAPI
import OwnerOperations
import Signer
import TerminalUI

/// `holdfast complete-names KIND [--home DIR]`, which the completion scripts call while somebody types. It is in no help: it never asks
/// for anything, answers within a moment, and prints nothing when there is nothing to say.
enum NameCompletion {
  static let word = "complete-names"
  private static let patience = 1_000

  /// - Parameter words: all words after the program's name.
  /// - Returns: nil for any other command line.
  static func run(_ words: [String]) -> ExitCode? {
    guard words.first == word else { return nil }
    guard words.count == 2 || (words.count == 4 && words[2] == "--home") else { return .done }
    let home =
      words.count == 4 ? Home(words[3], kinds: .holdfast) : .standard(kinds: .holdfast, environment: Terminal.environment)
    let names = (try? names(words[1], home)) ?? []
    for name in names where isPlain(name) { Output.plain(name) }
    return .done
  }

  private static func names(_ kind: String, _ home: Home) throws -> [String] {
    func ask<Operation: OwnerOperation>(_ operation: Operation.Type) throws -> Operation.Response?
    where Operation.Request == Nothing { try ask(operation, Nothing()) }
    func ask<Operation: OwnerOperation>(
      _ operation: Operation.Type, _ request: Operation.Request
    ) throws -> Operation.Response? {
      try askDaemonWhole(Operation.call(request), home, timeout: patience).map { try Operation.answer($0) }
    }
    switch kind {
    case "apps":
      return (try ask(AppList.self)?.clients ?? []).map { isPlain($0.name) ? $0.name : String($0.pubkey.prefix(keyDigits)) }
    case "identities": return try ask(IdentityList.self)?.identities.map(\.name) ?? []
    case "kits": return try ask(RecoveryList.self)?.kits.map(\.id) ?? []
    case "slots": return try ask(SlotList.self)?.slots.map { "\($0.id)" } ?? []
    case "requests": return try ask(RequestList.self, .init())?.requests.map(\.id) ?? []
    case "links":
      return (try ask(PairList.self)?.links ?? []).map { String($0.pubkey.prefix(keyDigits)) }
    case "topics": return ["all"] + Command.holdfast.topics.map(\.name) + Command.holdfast.verbs.map(\.name)
    case "classes": return KeyProtection.allCases.map(\.rawValue)
    case "permissions": return permissions
    case "entries": return LogEntryKind.allCases.map(\.rawValue)
    case "places": return (try ask(BackupPlanShow.self)?.plan?.to).map { [$0] } ?? []
    default: return []
    }
  }

  /// The permissions that people set most.
  private static let permissions =
    [
      "sign_event", "sign_event:0", "sign_event:1", "sign_event:3", "sign_event:5", "sign_event:6", "sign_event:7",
      "sign_event:22242",
    ]
    + ["nip44_encrypt", "nip44_decrypt", "nip04_encrypt", "nip04_decrypt"]

  /// So many digits of an app's key name it when its name cannot be typed.
  private static let keyDigits = 8
  private static let longest = 512

  /// One line that shows what it is, and that no command takes for an option.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longest && !name.hasPrefix("-") && printable(name, limit: longest) == name
  }
}
