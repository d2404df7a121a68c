import Identities
import JSON
import Nostr
import OwnerAPI
import Vault

extension ReceiptClaim {
  /// - Parameters:
  ///   - claim: its name for programs, which never changes.
  ///   - tested: when it was last tested, in seconds since 1970; nil if never.
  ///   - how: why it holds, or how it was found out.
  init(_ claim: String, sentence: String, holds: Holding, tested: Int64?, how: String) {
    self.init()
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
      "sealed", sentence: "The key lies encrypted, under the class \(facts.protection.name).", holds: .yes,
      tested: facts.now,
      how: "read off the key's record just now")
  }

  private static func moreThanOneWay(_ facts: ReceiptFacts) -> ReceiptClaim {
    ReceiptClaim(
      "more-than-one-way-in", sentence: "More than one thing opens it, so that losing one loses no key.",
      holds: facts.opens.count > 1 ? .yes : .no, tested: facts.now,
      how: "\(facts.opens.count) of the vault's slots have its class's key")
  }

  private static func ways(_ facts: ReceiptFacts) -> ReceiptClaim {
    let tried = facts.opens.filter(\.info.wasTried).count
    return ReceiptClaim(
      "ways-in-tested", sentence: "Every way in was seen to work.",
      holds: !facts.opens.isEmpty && tried == facts.opens.count ? .yes : .no, tested: facts.slotTested,
      how: "\(tried) of \(facts.opens.count) opened the vault, or were tried with: holdfast slot test")
  }

  private static func locked(_ facts: ReceiptFacts) -> ReceiptClaim {
    let stays = facts.protection.base == .afterFirstUnlock
    return ReceiptClaim(
      "gone-when-locked", sentence: "While locked, no plain key is in memory.", holds: stays ? .no : .yes, tested: nil,
      how: stays
        ? "its class keeps it from the first unlock on, so that apps are answered while locked"
        : "locking wipes the class's key; without it the record cannot be read")
  }

  private static func presence(_ facts: ReceiptFacts) -> ReceiptClaim {
    let needed = facts.protection.needsPresence
    return ReceiptClaim(
      "presence-for-each-use", sentence: "Every use needs you to show that you are there.", holds: needed ? .yes : .no,
      tested: nil,
      how: needed ? "the class's key is unwrapped for one use and never kept" : "its class does not ask for it")
  }

  /// What Linux cannot promise about fingers and faces.
  private static func fingers(_ facts: ReceiptFacts) -> [ReceiptClaim] {
    guard facts.opens.contains(where: { $0.info.type == .passkey }) || facts.protection.base == .biometricRequired else {
      return []
    }
    return [
      ReceiptClaim(
        "fingerprint-or-face", sentence: "A passkey was shown by a finger or face.", holds: .notEnforcedHere, tested: nil,
        how: "the passkey's device verifies its user, and may do so by a PIN")
    ]
  }

  /// A PAM check only answers yes or no before a slot is used.
  private static func pamChecks(_ facts: ReceiptFacts) -> [ReceiptClaim] {
    facts.opens.filter { !$0.pamService.isEmpty }.map { slot in
      ReceiptClaim(
        "pam-gate", sentence: "Slot \(slot.info.id) is asked for by PAM (\(slot.pamService)) first.", holds: .notEnforcedHere,
        tested: nil,
        how:
          "PAM (a password, a finger) answers yes or no to this program; it keeps no part of the key, another program need not ask"
      )
    }
  }

  /// Holds only if the TPM has opened the secret in this run.
  private static func device(_ facts: ReceiptFacts) -> ReceiptClaim {
    let bound = facts.protection.isThisDeviceOnly
    return ReceiptClaim(
      "this-device-only", sentence: "A copy of the vault on another machine does not give the key.",
      holds: bound ? (facts.binding.isOfThisMachine ? .yes : .notEnforcedHere) : .no,
      tested: nil,
      how: bound
        ? facts.binding.reason : "whoever has the folder and one way in has the key: that is what makes a backup of use")
  }

  private static func survives(_ facts: ReceiptFacts) -> ReceiptClaim {
    let hasOwnKit = facts.kits.contains { $0.identity != nil }
    let (holds, how) =
      if hasOwnKit {
        (true, "a recovery kit of its own restores it")
      } else if facts.backedUp != nil {
        (true, "a backup made since has it, and opens with what opened the vault then; where it is now is not known here")
      } else if !facts.exports.isEmpty {
        (true, "it left this device, so a copy should be somewhere; whether it is still there is not known here")
      } else if !facts.kits.isEmpty {
        (false, "the vault's kit opens the vault's file or a backup of it, and no backup has this key")
      } else {
        (false, "there is no kit, no export and no backup")
      }
    return ReceiptClaim(
      "survives-loss-of-this-machine", sentence: "If this machine is lost, the key can be had again.",
      holds: holds ? .yes : .no, tested: facts.kitTested, how: how)
  }

  private static func tested(_ facts: ReceiptFacts) -> ReceiptClaim {
    ReceiptClaim(
      "recovery-tested", sentence: "A rehearsal showed that a recovery kit restores it.",
      holds: facts.kitTested == nil ? .no : .yes, tested: facts.kitTested,
      how: facts.kits.isEmpty ? "there is no kit for it" : "recorded by: holdfast recovery test")
  }

  private static func neverOpen(_ facts: ReceiptFacts) -> ReceiptClaim {
    let times = ["nsec", "mnemonic"].compactMap { facts.exports[$0] }
    let (holds, how): (ReceiptClaim.Holding, String) =
      if facts.identity.exportSecurity == .handledInsecurely {
        (.no, "it came here as open text")
      } else if !times.isEmpty {
        (.no, "the log has an open export")
      } else if facts.isLogYounger {
        (.notKnown, "no such export stands in the log, which does not go back to when the identity was made")
      } else {
        (.yes, "no such export stands in the log")
      }
    return ReceiptClaim(
      "never-open-outside", sentence: "The key never left as open text, and did not come as such.", holds: holds,
      tested: times.max(), how: how)
  }

  private static let swap = ReceiptClaim(
    "never-in-swap", sentence: "No plain key reaches the swap.", holds: .notEnforcedHere, tested: nil,
    how: "its memory is locked as far as the system grants it; hibernation writes all memory to the disk")

  /// What no receipt can promise.
  static func limits(_ facts: ReceiptFacts) -> [String] {
    var limits = ["A program that runs as you, or as root, can use the key while it is unlocked."]
    if facts.identity.words != nil {
      limits.append(
        facts.identity.hasWordsPassphrase
          ? "Whether the words were written down, and who knows their passphrase, is not known here; the passphrase is not kept."
          : "Whether the words were written down, and where, is not known here. Whoever has them has the key.")
    }
    if let words = facts.words, words != facts.protection {
      limits.append("The words lie under another class than the key, \(words.name): who opens that has this key, too.")
    }
    if !facts.exports.isEmpty { limits.append("What was exported cannot be called back.") }
    if facts.isLogYounger {
      limits.append("The log does not go back to when the identity was made: what left before it begins is not known here.")
    }
    if facts.protection.isThisDeviceOnly { limits.append("It is in no backup and in no recovery kit of the vault.") }
    if facts.backedUp != nil { limits.append("An older backup still opens with what opened the vault then.") }
    return limits
  }
}
