internal import AuditLog
internal import Curve
internal import Encodings
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import Signer
internal import Vault

/// `identity/receipt`: what holds a key, what opens it, who can rebuild it, what left this device, and when each was last tried.
///
/// Read off the vault as it is at that moment: which slots have the class's key, under which class the key's record lies, what the log
/// tells. Where this machine cannot enforce something, it says so.
extension Operations {
  func identityReceipt(_ given: Parameters) throws -> JSONValue {
    let identity = try identity(named: given.optionalText("name"))
    let facts = try receiptFacts(of: identity)
    return .object([
      .init("identity", .object([.init("name", .string(identity.name)), .init("npub", .string(identity.publicKey.npub))])),
      .init("made", .integer(Clock.seconds)), .init("class", .string(facts.protection.name)),
      .init("held_by", .array(heldBy(facts))), .init("opens", .array(facts.opens.map(opening))),
      .init("rebuild", .array(facts.rebuilds)), .init("leaves", .array(facts.leaves)),
      .init("claims", .array(ReceiptClaims.all(facts).map(\.json))),
      .init("limits", .array(ReceiptClaims.limits(facts).map { .string($0) })),
    ])
  }

  private func heldBy(_ facts: ReceiptFacts) -> [JSONValue] {
    var held: [JSONValue] = [
      [
        "what": "key", "where": .string(core.home.path), "class": .string(facts.protection.name),
        "device_bound": .bool(facts.isBound(facts.protection)), "in_memory": .string(facts.memory),
      ]
    ]
    if let words = facts.words {
      held.append([
        "what": "words", "where": .string(core.home.path), "class": .string(words.name),
        "device_bound": .bool(facts.isBound(words)), "in_memory": "for one use",
      ])
    }
    return held
  }

  private func opening(_ slot: ReceiptFacts.Slot) -> JSONValue {
    [
      "slot": .integer(Int64(slot.info.id)), "label": .string(slot.info.label), "type": .string(slot.info.type.name),
      "last_used": slot.info.lastUsed.map { .integer($0 / 1000) } ?? .null,
      "last_tested": slot.info.lastTested.map { .integer($0 / 1000) } ?? .null,
      "last_worked": slot.info.lastWorked.map { .integer($0 / 1000) } ?? .null,
      "gate": slot.gate.isEmpty ? .null : .string(slot.gate),
    ]
  }

  // MARK: the facts

  func receiptFacts(of identity: Identity) throws -> ReceiptFacts {
    let key = identity.publicKey
    let vault = core.vault
    var facts = ReceiptFacts(identity: identity, now: Clock.seconds)
    guard let protection = try vault.protection(of: .identityKey, id: key.bytes.array) else { throw VaultError.notFound }
    facts.protection = protection
    facts.binding = try vault.deviceBinding
    if let words = identity.words { facts.words = try vault.protection(of: .identityWords, id: words.array) }
    facts.guardians = try services.guardians.guardians().count
    let gates = gates()
    facts.opens = try waysIn().filter { $0.opens.contains(protection) }.map { .init(info: $0, gate: gates[$0.id] ?? "") }
    facts.opensWords = try vault.slots.filter { slot in facts.words.map(slot.opens.contains) ?? false }.count
    if facts.protection.base == .biometricRequired {
      _ = try? vault.checkFingers()
      (facts.fingers, facts.fingersNow) = ((try? vault.enrolledFingers()) ?? nil, vault.lastFingerSighting)
    }
    facts.kits = kits(for: identity, facts.protection)
    let entries = try entriesAboutCopies()
    facts.exports = Self.exports(of: key, in: entries)
    facts.logBegins = try firstEntry()
    // One that is older than the key does not have it.
    let backedUp = facts.protection.isThisDeviceOnly ? nil : entries.last { $0.kind == .backupMade }.map { $0.time / 1000 }
    facts.backedUp = backedUp.flatMap { $0 >= identity.createdAt ? $0 : nil }
    return facts
  }

  /// The PAM services in front of slots, by the slots' ids, as `slot/list` tells them.
  private func gates() -> [UInt32: String] {
    var gates: [UInt32: String] = [:]
    for slot in (try? core.vault.slots) ?? [] { gates[slot.id] = SlotDevices.gate(slot) }
    return gates
  }

  /// The kits that restore this identity: its own, and the vault's where its class is in them.
  private func kits(for identity: Identity, _ protection: ProtectionClass) -> [JSONValue] {
    list("recovery/list", "kits").filter { kit in
      if kit["handed_out"]?.bool == false { return false }
      if kit["npub"]?.string == identity.publicKey.npub { return true }
      return kit["for"] == "vault" && !protection.isThisDeviceOnly
    }
  }

  /// What another noun's operation lists; nothing where this signer has none.
  private func list(_ operation: String, _ member: String) -> [JSONValue] {
    let asked = Parameters(ControlRequest(operation), via: .command)
    let result = try? recoveryOperation(asked, operation)
    return result?[member]?.array ?? []
  }

  /// The last time of each format in which the key, or the words it comes from, left.
  private static func exports(of key: PublicKey, in entries: [AuditEntry]) -> [String: Int64] {
    var last: [String: Int64] = [:]
    for entry in entries where entry.kind == .keyExported && entry.identity == key {
      last[(entry.code ?? entry.rule)?.description ?? "ncryptsec"] = entry.time / 1000
    }
    return last
  }

  /// What the log says of keys that left and of backups, oldest first: read once, since it goes over the whole log. Where that is sealed, a
  /// receipt without it would say too little.
  private func entriesAboutCopies() throws -> [AuditEntry] {
    return try core.log.tail(Self.entriesRead, matching: AuditFilter(kinds: [.keyExported, .backupMade])).map(\.entry)
  }

  /// The time of the first entry that can be read, in seconds.
  private func firstEntry() throws -> Int64? {
    return try core.log.read(from: 1, limit: 1).first.map { $0.entry.time / 1000 }
  }

  /// More exports and backups than a receipt needs to look at.
  private static let entriesRead = 10_000
}
