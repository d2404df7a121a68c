internal import Identities
internal import JSON
internal import Vault

/// What a receipt rests on, read off the vault and the log at one moment.
struct ReceiptFacts {
  struct Slot {
    let info: SlotInfo
    /// The PAM service asked in front of it; empty for none.
    let gate: String
  }

  let identity: Identity
  /// Seconds since 1970-01-01 UTC.
  let now: Int64
  var protection = ProtectionClass.whenUnlocked
  /// The class of the words the key came from; nil when there are none here.
  var words: ProtectionClass?
  /// The slots that have the key of the identity's class.
  var opens: [Slot] = []
  /// How many slots have the key of the words' class.
  var opensWords = 0
  /// As `recovery/list` tells them.
  var kits: [JSONValue] = []
  var guardians = 0
  /// By format, the last time in seconds.
  var exports: [String: Int64] = [:]
  var backedUp: Int64?
  /// The time of the first entry that the log can still show, in seconds since 1970; nil when there is none.
  var logBegins: Int64?
  /// What binds keys to this device.
  var binding = DeviceBinding.file
  /// The fingers the class is enrolled with; nil where that is not known.
  var fingers: FingerprintEnrolment?
  /// What a look at them showed just now.
  var fingersNow = FingerprintReading.unknown(.notLooked)

  init(identity: Identity, now: Int64) { (self.identity, self.now) = (identity, now) }

  /// Whether the log lacks a part of the identity's time: it was begun anew, old content was dropped, or the home was restored.
  var isLogYounger: Bool { logBegins.map { $0 > identity.createdAt } ?? true }

  /// Whether what is kept under a class opens on this machine only: not where its class alone says so.
  func isBound(_ protection: ProtectionClass) -> Bool { protection.isThisDeviceOnly && binding.isOfThisMachine }

  /// When the plain key is in the signer's memory.
  var memory: String {
    if protection.needsPresence { return "for one use" }
    return protection.base == .afterFirstUnlock ? "from the first unlock until the signer ends" : "while unlocked"
  }

  /// Who could make the key again without this machine's files.
  var rebuilds: [JSONValue] {
    var list: [JSONValue] = kits.map { kit in
      [
        "what": "recovery kit", "kit": kit["id"] ?? .null, "for": kit["for"] ?? .null, "threshold": kit["threshold"] ?? .null,
        "shares": kit["shares"] ?? .null, "last_tested": kit["last_tested"] ?? .null,
      ]
    }
    if identity.words != nil {
      let passphrase = JSONValue.bool(identity.hasWordsPassphrase)
      let shown = exports["mnemonic"].map { JSONValue.integer($0) } ?? .null
      list.append(["what": "words", "passphrase": passphrase, "last_shown": shown, "on_paper": "unknown", "last_tested": .null])
    }
    if guardians > 0 { list.append(["what": "guardians", "count": .integer(Int64(guardians)), "last_tested": .null]) }
    return list
  }

  /// What left this device, and when last.
  var leaves: [JSONValue] {
    var list: [JSONValue] = exports.sorted { $0.key < $1.key }.map { format, time in
      [
        "what": .string("export as \(format)"), "encrypted": .bool(format != "nsec" && format != "mnemonic"),
        "last_time": .integer(time),
      ]
    }
    if let backedUp { list.append(["what": "backup", "encrypted": true, "last_time": .integer(backedUp)]) }
    return list
  }

  /// The last time, in seconds, that a kit which restores the key was tried.
  var kitTested: Int64? { kits.compactMap { $0["last_tested"]?.integer }.max() }

  /// The last time, in seconds, that a slot which opens the key was used or tried.
  var slotTested: Int64? { opens.compactMap(\.info.lastWorked).max().map { $0 / 1000 } }
}
