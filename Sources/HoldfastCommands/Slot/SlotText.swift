import CommandLine
import OwnerAPI
import SecretMemory
import TerminalUI

/// Ways to open the vault, for people.
enum SlotText {
  /// Its type and what its owner calls it.
  static func kind(_ kind: SlotKind, _ label: String) -> String { shown(kind) + (label.isEmpty ? "" : " “\(shown(label))”") }

  static func worked(_ slot: Slot, _ now: Int64) -> String { lastWorked(used: slot.lastUsed, tested: slot.lastTested, now) }

  /// What it opens, for a person: by its type, and what it still lacks. Classes of this device alone go with the others of their name.
  static func opens(_ slot: Slot) -> String {
    func bases(_ classes: [KeyProtection]) -> [String] { classes.map(\.rawValue).filter { !$0.utf8.contains(UInt8(ascii: ",")) } }
    let lacks = bases(slot.lacks)
    let missing = lacks.isEmpty ? "" : "; not yet: " + lacks.joined(separator: ", ")
    switch slot.kind {
    case .passphrase, .token: return "all but keys that need a passkey" + missing
    case .passkey: return "all but keys that need a passphrase or PIN" + missing
    case .recovery: return "all that may leave this device" + missing
    case .keyring: return "only what stays open while locked" + missing
    }
  }

  /// Names of classes; one whose twin of this device is among them, too, is named once.
  static func classes(_ classes: [KeyProtection]) -> String {
    let names = classes.map(\.rawValue)
    let twin = ",this-device-only"
    return names.filter { !$0.hasSuffix(twin) || !names.contains(String($0.dropLast(twin.utf8.count))) }.map(className)
      .joined(separator: "; ")
  }

  /// One class, as people read it.
  static func className(_ name: String) -> String { name.split(separator: ",").joined(separator: ", ") }

  /// What went with a slot or a binding.
  static func lost(_ names: [String]) -> [String] {
    names.isEmpty ? [] : ["Deleted with it: \(names.map { "“\(shown($0))”" }.joined(separator: ", "))."]
  }

  /// What would go.
  static func loses(_ loss: String?) -> [String] {
    loss.map { ["These are lost for good: \(shown($0, limit: 1000))."] } ?? []
  }
}

/// What several commands of `holdfast slot` have in common.
enum SlotArguments {
  /// The slot that a command line names.
  static func id(_ line: Invocation) throws(UsageError) -> Int64? {
    guard let text = line.argument("id") else { return nil }
    guard let id = TimeSpan.digits(text.utf8), let number = UInt32(exactly: id) else {
      throw .argumentNotAllowed(name: "id", allowed: ["a number from 'holdfast slot list'"])
    }
    return Int64(number)
  }

  /// A passphrase that is to be used from now on.
  static func newPassphrase(_ line: Invocation) throws(CommandError) -> SecretBox {
    try NewPassphrase.read("The new passphrase", file: line.value("new-passphrase-file"), isQuiet: line.has("json"))
  }
}

extension Noun {
  static let slot = Noun(
    "slot", "Ways to open the vault: list, add, test, change, remove",
    commands: [
      SlotListCommand.self, SlotAddCommand.self, SlotTestCommand.self, SlotRemoveCommand.self, SlotRenameCommand.self,
      SlotPassphraseCommand.self, SlotRotateCommand.self, SlotEnrolCommand.self, SlotBindCommand.self,
    ])
}
