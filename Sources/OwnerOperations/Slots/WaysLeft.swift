import Vault

/// What is left to open the vault with, and what is to be feared of it.
struct WaysLeft {
  /// The keyring opens no keys.
  private let usable: [SlotInfo]

  init(_ slots: [SlotInfo]) { usable = slots.filter { $0.type != .keyring } }

  /// In words; empty when there is more than one way and one of the lasting ones was seen to work.
  var warnings: [String] {
    guard let only = usable.first else { return [] }
    if usable.count == 1 { return ["What is left: \(Self.words(only)). \(Self.fear(only))"] }
    // Passkeys can be lost with one click.
    let lasting = usable.filter { $0.type != .passkey }
    guard !lasting.isEmpty, lasting.allSatisfy({ !$0.wasTried }) else { return [] }
    let list = lasting.map(Self.words).joined(separator: ", ")
    return [
      lasting.count == usable.count
        ? "Nothing of what is left was ever used or tested: \(list). Test one first: holdfast slot test"
        : "Beside passkeys, this is what is left: \(list). Test it first: holdfast slot test"
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
    case .recovery: "If its shares are lost, so are your keys."
    case .token: "If it is lost or breaks, so are your keys."
    case .passkey, .keyring: "If it is lost, so are your keys."
    }
  }
}

extension SlotInfo {
  /// Whether it may be the only way in that is left: passkeys are lost with one click, and the keyring opens no keys.
  var isLasting: Bool { type != .passkey && type != .keyring }

  /// When it was last seen to open the vault, milliseconds since 1970-01-01 UTC: an unlocking is as good as a test.
  var lastWorked: Int64? { [lastUsed, lastTested].compactMap { $0 }.max() }
  /// Whether it ever was.
  var wasTried: Bool { lastWorked != nil }
}
