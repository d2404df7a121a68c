import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity receipt`
enum IdentityReceiptCommand: OwnerCommand {
  typealias Operation = IdentityReceipt

  static let place = Command(
    "receipt", "Show what holds a key, what opens it, and who can rebuild it",
    discussion: """
      Everything in the receipt is read from the vault and its log now, with the time of the last test. It also says what this \
      machine cannot enforce. --json is for programs.
      """,
    arguments: [
      Argument("name", "The identity's name (default: the default identity)", required: false, completion: .names("identities"))
    ],
    options: [SharedOptions.noPager],
    examples: [Example("holdfast identity receipt alice", "how well is this key protected?")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityNameOrDefault {
    IdentityNameOrDefault(line.argument("name"))
  }

  static var isPaged: Bool { true }

  static func text(_ answer: IdentityReceipt.Response, _ reader: Reader) -> String {
    var lines = [
      "Receipt for \(shown(answer.identity.name)), \(shown(answer.identity.npub))",
      "Made \(date(answer.made)). Class: \(shown(answer.protection)).", "", "What holds it",
    ]
    lines += answer.heldBy.map(held)
    lines += ["", "What opens it"] + answer.opens.map { opener($0, reader.now) }
    lines += ["", "Who can rebuild it"] + orNobody(answer.rebuild.map { rebuild($0, reader.now) })
    lines += ["", "What left this device"] + orNobody(answer.leaves.map(outside))
    lines += ["", "What is true, and what is not"]
    lines += answer.claims.map { claim in
      "  [\(mark(claim.holds))] \(ours(claim.sentence, limit: 300)) (\(ours(claim.how, limit: 600)))"
    }
    lines += ["", "Please note"] + answer.limits.map { "  \(ours($0, limit: 300))" }
    return lines.joined(separator: "\n")
  }

  private static func held(_ held: StoredSecret) -> String {
    let bound = held.isDeviceBound ? ", bound to this machine" : ""
    return
      "  The \(shown(held.what)): in \(shown(held.place, limit: 1000)), under \(shown(held.protection))\(bound); in memory \(shown(held.inMemory, limit: 80))."
  }

  private static func opener(_ slot: KeyOpener, _ now: Int64) -> String {
    let label = slot.label.isEmpty ? "" : " “\(foreign(slot.label, limit: 60))”"
    return "  Slot \(slot.slot), \(shown(slot.kind))\(label): \(lastWorked(used: slot.lastUsed, tested: slot.lastTested, now))."
  }

  private static func rebuild(_ entry: KeyRebuild, _ now: Int64) -> String {
    switch entry.what {
    case .recoveryKit:
      "  \(shown(entry.threshold)) of \(shown(entry.shares)) shares of kit \(shown(entry.kit))\(entry.kitFor == "vault" ? ", with the vault or a backup of it" : ""): \(lastTested(entry.lastTested, now))"
    case .words:
      "  Its words\(entry.hasPassphrase == true ? " with their passphrase" : ""): Holdfast does not know whether they are on paper"
    case .guardians: "  \(shown(entry.count)) guardians who hold shares"
    case .backup: "  A backup, with what opened the vault when it was made: \(whereabouts(entry))"
    case .exportedCopy: "  An exported copy: Holdfast does not know whether it still exists"
    }
  }

  private static func whereabouts(_ backup: KeyRebuild) -> String {
    backup.place.map { "the schedule stored it at \(foreign($0, limit: 400))" } ?? "Holdfast does not know where it is"
  }

  private static func outside(_ left: KeyOutside) -> String {
    "  \(shown(left.what, limit: 60))\(left.isEncrypted ? "" : ", unencrypted"), last \(date(left.lastTime))"
  }

  private static func mark(_ holds: ReceiptClaim.Holding) -> String {
    switch holds {
    case .yes: "yes"
    case .no: "NO"
    case .notKnown: "not known"
    case .notEnforcedHere: "not enforced here"
    }
  }

  private static func orNobody(_ lines: [String]) -> [String] {
    lines.isEmpty ? ["  Nothing and nobody, as far as this vault knows."] : lines
  }
}
