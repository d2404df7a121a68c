import Vault

/// The slots that would be left, and what could go wrong with them.
struct WaysLeft {
  /// The slots that open keys. The keyring opens none.
  private let usable: [SlotInfo]

  init(_ slots: [SlotInfo]) { usable = slots.filter { $0.type != .keyring } }

  /// Warnings as sentences. Empty if there is more than one slot and one of the lasting ones was seen to work.
  var warnings: [String] {
    guard let only = usable.first else { return [] }
    if usable.count == 1 { return ["Only this is left: \(Self.words(only)). \(Self.fear(only))"] }
    // Passkeys can be lost with one click.
    let lasting = usable.filter { $0.type != .passkey }
    guard !lasting.isEmpty, lasting.allSatisfy({ !$0.wasTried }) else { return [] }
    let list = lasting.map(Self.words).joined(separator: ", ")
    return [
      lasting.count == usable.count
        ? "Nothing that is left was ever used or tested: \(list). Test one first: holdfast slot test"
        : "Apart from passkeys, this is left: \(list). Test it first: holdfast slot test"
    ]
  }

  private static func words(_ slot: SlotInfo) -> String {
    let name = slot.label.isEmpty ? "" : " “\(slot.label)”"
    let what =
      switch slot.type {
      case .passphrase: "the passphrase\(name)"
      case .recovery: "a recovery kit\(name)"
      case .passkey: "a passkey\(name)"
      case .token: "the token\(name)"
      case .keyring: "the keyring\(name)"
      }
    if slot.wasTried { return what }
    return what + (slot.type == .recovery ? " that was never tested" : " that was never used or tested")
  }

  private static func fear(_ slot: SlotInfo) -> String {
    switch slot.type {
    case .passphrase: "If you forget it, your keys are lost."
    case .recovery: "If its sheets are lost, so are your keys."
    case .token: "If it is lost or breaks, so are your keys."
    case .passkey, .keyring: "If it is lost, so are your keys."
    }
  }
}

extension SlotInfo {
  /// Whether it may be the only slot that is left. Passkeys can be lost with one click, and the keyring opens no keys.
  var isLasting: Bool { type != .passkey && type != .keyring }

  /// When it last opened the vault, milliseconds since 1970-01-01 UTC. An unlock is as good as a test.
  var lastWorked: Int64? { [lastUsed, lastTested].compactMap { $0 }.max() }
  /// Whether it ever opened the vault.
  var wasTried: Bool { lastWorked != nil }
}
