import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Vault

extension ReceiptClaim {
  /// - Parameters:
  ///   - claim: its name for programs, which never changes.
  ///   - tested: when it was last tested, in seconds since 1970; nil if never.
  ///   - how: why it holds, or how it was found out.
  ///   - remedy: what mends it if it does not hold. Nil for a property of the key that is no risk by itself.
  init(_ claim: String, sentence: String, holds: Holding, tested: Int64?, how: String, remedy: Remedy? = nil) {
    self.init()
    self.remedy = remedy
    (self.claim, self.sentence, self.holds, self.tested, self.how) = (claim, sentence, holds, tested, how)
  }
}

/// The claims of a receipt. Each follows from the present facts, never from the identity's name or from what was once set.
enum ReceiptClaims {
  static func all(_ facts: ReceiptFacts) -> [ReceiptClaim] {
    [sealed(facts), moreThanOneWay(facts), ways(facts), locked(facts), presence(facts)] + fingers(facts)
      + FingerprintClaim.all(facts)
      + pamChecks(facts) + [
        device(facts), survives(facts), tested(facts), neverOpen(facts), swap,
      ]
  }

  private static func sealed(_ facts: ReceiptFacts) -> ReceiptClaim {
    ReceiptClaim(
      "sealed", sentence: "The key is stored encrypted, under the class \(facts.protection.name).", holds: .yes,
      tested: facts.now,
      how: "read from the key's record just now")
  }

  private static func moreThanOneWay(_ facts: ReceiptFacts) -> ReceiptClaim {
    // A kit of the vault is one of the slots.
    let ownKits = facts.kits.count { $0.identity != nil }
    let opens = facts.opens.count
    let isExported = !facts.exports.isEmpty
    return ReceiptClaim(
      "more-than-one-way-in", sentence: "More than one thing opens or restores it, so losing one does not lose the key.",
      holds: opens + ownKits > 1 || opens > 0 && isExported ? .yes : .no, tested: facts.now,
      how: waysWords(opens, hasKit: ownKits > 0, isExported: isExported),
      remedy: .addWay)
  }

  private static func waysWords(_ opens: Int, hasKit: Bool, isExported: Bool) -> String {
    switch (opens == 1, hasKit, isExported) {
    case (true, true, _): "one way to unlock opens it, and a kit of its own restores it"
    case (false, true, _): "\(opens) ways to unlock open it, and a kit of its own restores it"
    case (true, _, true):
      "one way to unlock opens it, and an exported copy restores it as long as you still have that copy"
    case (false, _, true):
      "\(opens) ways to unlock open it, and an exported copy restores it as long as you still have that copy"
    case (true, _, _): "one way to unlock opens it"
    case (false, _, _): "\(opens) ways to unlock open it"
    }
  }

  private static func ways(_ facts: ReceiptFacts) -> ReceiptClaim {
    let tried = facts.opens.filter(\.info.wasTried).count
    return ReceiptClaim(
      "ways-in-tested", sentence: "Every way to open it is known to work.",
      holds: !facts.opens.isEmpty && tried == facts.opens.count ? .yes : .no, tested: facts.slotTested,
      how: "\(tried) of \(facts.opens.count) opened the vault or passed: holdfast slot test", remedy: .testWays)
  }

  private static func locked(_ facts: ReceiptFacts) -> ReceiptClaim {
    let stays = facts.protection.base == .afterFirstUnlock
    return ReceiptClaim(
      "gone-when-locked", sentence: "While the signer is locked, the key is not in memory.", holds: stays ? .no : .yes,
      tested: nil,
      how: stays
        ? "its class keeps it in memory after the first unlock, so apps are answered while locked"
        : "locking wipes the class key; without it the record cannot be read")
  }

  private static func presence(_ facts: ReceiptFacts) -> ReceiptClaim {
    let needed = facts.protection.needsPresence
    return ReceiptClaim(
      "presence-for-each-use", sentence: "Every use needs proof that you are there.", holds: needed ? .yes : .no,
      tested: nil,
      how: needed ? "the class key is unwrapped for one use and never kept" : "its class does not ask for it")
  }

  /// What Linux cannot promise about fingers and faces.
  private static func fingers(_ facts: ReceiptFacts) -> [ReceiptClaim] {
    guard facts.opens.contains(where: { $0.info.type == .passkey }) || facts.protection.base == .biometricRequired else {
      return []
    }
    return [
      ReceiptClaim(
        "fingerprint-or-face", sentence: "A passkey is used only by a finger or face.", holds: .notEnforcedHere, tested: nil,
        how: "the passkey's device verifies its user, possibly by a PIN")
    ]
  }

  /// A PAM check only answers yes or no before a slot is used.
  private static func pamChecks(_ facts: ReceiptFacts) -> [ReceiptClaim] {
    facts.opens.filter { !$0.pamService.isEmpty }.map { slot in
      ReceiptClaim(
        "pam-gate", sentence: "PAM (\(slot.pamService)) asks before slot \(slot.info.id) opens.", holds: .notEnforcedHere,
        tested: nil,
        how:
          "PAM (a password, a finger) answers yes or no to this program; it holds no part of the key, and another program need not ask it"
      )
    }
  }

  /// Holds only if the TPM has opened the secret in this run.
  private static func device(_ facts: ReceiptFacts) -> ReceiptClaim {
    let bound = facts.protection.isThisDeviceOnly
    return ReceiptClaim(
      "this-device-only", sentence: "The key stays closed in a copy of the vault on another machine.",
      holds: bound ? (facts.binding.isOfThisMachine ? .yes : .notEnforcedHere) : .no,
      tested: nil,
      how: bound
        ? facts.binding.reason : "anybody with the folder and one way to open it has the key; backups rely on that")
  }

  private static func survives(_ facts: ReceiptFacts) -> ReceiptClaim {
    let (holds, how, remedy) = afterLoss(facts)
    return ReceiptClaim(
      "survives-loss-of-this-machine", sentence: "If this machine is lost, the key can be restored.",
      holds: holds, tested: facts.kitTested, how: how, remedy: remedy)
  }

  /// What is left if this machine is lost: the backups are judged as in the checklist.
  private static func afterLoss(_ facts: ReceiptFacts) -> (ReceiptClaim.Holding, how: String, Remedy) {
    if facts.kits.contains(where: { $0.identity != nil }) { return (.yes, "its own recovery kit restores it", .makeBackup) }
    if case .sound = facts.backupStanding {
      guard let place = facts.backupPlace else {
        return (
          .yes, "a later backup has it and opens with what opens the vault; Holdfast does not know where that backup is",
          .makeBackup
        )
      }
      return (.yes, "a later backup has it and opens with what opens the vault; the schedule stored it at \(place)", .makeBackup)
    }
    if !facts.exports.isEmpty {
      return (.yes, "it was exported: an exported copy restores it as long as you still have that copy", .makeBackup)
    }
    switch facts.backupStanding {
    case .onlyOnVaultsDisk:
      guard let place = facts.backupPlace else {
        return (.no, "a later backup has it, but only on the same disk as the vault", .moveBackup)
      }
      return (.no, "a later backup has it, but the schedule stored it at \(place), on the same disk as the vault", .moveBackup)
    case .notOpened:
      return facts.doesBackupOpen
        ? (.notKnown, "a later backup has it, but does not open with everything that opens the vault now", .makeBackup)
        : (.no, "a later backup has it, but nothing that opens the vault now opens that backup", .makeBackup)
    case .unchecked:
      return (.notKnown, "a later backup has it, but nobody has checked yet that its file arrived and opens", .checkBackup)
    case .sound, .lacksKey, .none:
      return facts.kits.isEmpty
        ? (.no, "there is no kit, no export and no backup", .makeBackup)
        : (.no, "a kit of the vault needs a backup, and no backup has this key", .makeBackup)
    }
  }

  private static func tested(_ facts: ReceiptFacts) -> ReceiptClaim {
    ReceiptClaim(
      "recovery-tested", sentence: "A test showed that a recovery kit restores it.",
      holds: facts.kitTested == nil ? .no : .yes, tested: facts.kitTested,
      how: facts.kits.isEmpty
        ? "there is no kit for it"
        : facts.kitTested == nil ? "no kit was tried since the key was made" : "recorded by: holdfast recovery test",
      remedy: facts.kits.isEmpty ? .makeKit : .testKit)
  }

  private static func neverOpen(_ facts: ReceiptFacts) -> ReceiptClaim {
    let times = ["nsec", "mnemonic"].compactMap { facts.exports[$0] }
    let (holds, how): (ReceiptClaim.Holding, String) =
      if facts.identity.exportSecurity == .handledInsecurely || facts.identity.origin == .importedMnemonic {
        (.no, "it was imported unencrypted")
      } else if !times.isEmpty {
        (.no, "the log records an unencrypted export")
      } else if facts.identity.isFromOtherProgram {
        (.notKnown, "it was imported from another program, which may have kept it unencrypted")
      } else if facts.isLogYounger {
        (.notKnown, "the log records no such export, but it begins after the identity was made")
      } else {
        (.yes, "the log records no such export")
      }
    return ReceiptClaim(
      "never-open-outside", sentence: "The key was never imported or exported unencrypted.", holds: holds,
      tested: times.max(), how: how, remedy: .replaceKey)
  }

  private static let swap = ReceiptClaim(
    "never-in-swap", sentence: "The key never reaches the swap space.", holds: .notEnforcedHere, tested: nil,
    how: "its memory is locked as far as the system allows; hibernation writes all memory to the disk")

  /// What no receipt can promise.
  static func limits(_ facts: ReceiptFacts) -> [String] {
    var limits = ["A program that runs as you, or as root, can use the key while it is unlocked."]
    if facts.identity.words != nil {
      limits.append(
        facts.identity.hasWordsPassphrase
          ? "Holdfast does not know whether the words were written down, or who knows their passphrase. It does not keep the passphrase."
          : "Holdfast does not know whether or where the words were written down. Anybody who has them has the key.")
    }
    if let words = facts.words, words != facts.protection {
      limits.append("The words are stored under another class, \(words.name). What opens that class also gives this key.")
    }
    if !facts.exports.isEmpty { limits.append("Exported copies cannot be taken back.") }
    if facts.isLogYounger {
      limits.append("The log begins after the identity was made. Holdfast does not know of earlier exports.")
    }
    if facts.protection.isThisDeviceOnly { limits.append("No backup and no recovery kit of the vault has it.") }
    if let proxy = facts.pushProxy {
      limits.append(
        "The push proxy \(proxy) knows that one device serves all apps, each app's key and relays, when requests come, and your address. It cannot read requests or sign."
      )
    }
    if facts.backedUp != nil { limits.append("An older backup still opens with what opened the vault at that time.") }
    return limits
  }
}

extension Identity {
  /// Whether its key comes from what another signer exported.
  fileprivate var isFromOtherProgram: Bool {
    switch origin {
    case .importedAmber, .importedNos2xFox, .importedNsecBunker, .importedKeep: true
    case .created, .derived, .vanity, .rotated, .importedNsec, .importedHex, .importedNcryptsec, .importedMnemonic,
      .importedKeyFile:
      false
    }
  }
}
