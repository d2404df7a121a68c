import AuditLog
import Backups
import Curve
import Encodings
import Guardians
import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import PushRegistration
import Signer
import Vault

/// `identity/receipt`: what holds a key, what opens it, who can rebuild it, what left this device, and when each was last tested.
///
/// It is read from the vault as it is at that moment: which slots hold the class's key, which class the key's record has, what
/// the log says. Where this machine cannot enforce something, the receipt says so.
extension Operations {
  func identityReceipt(_ request: IdentityNameOrDefault) throws -> IdentityReceipt.Response {
    let identity = try identity(named: request.name)
    let facts = try receiptFacts(of: identity)
    var receipt = IdentityReceipt.Response()
    (receipt.identity.name, receipt.identity.npub) = (identity.name, identity.publicKey.npub)
    (receipt.made, receipt.protection) = (Clock.seconds, KeyProtection(facts.protection))
    (receipt.heldBy, receipt.opens) = (heldBy(facts), facts.opens.map(KeyOpener.init))
    (receipt.rebuild, receipt.leaves) = (facts.rebuilds, facts.leaves)
    (receipt.claims, receipt.limits) = (ReceiptClaims.all(facts), ReceiptClaims.limits(facts))
    return receipt
  }

  private func heldBy(_ facts: ReceiptFacts) -> [StoredSecret] {
    func stored(_ what: StoredSecret.What, _ protection: ProtectionClass, _ memory: String) -> StoredSecret {
      var stored = StoredSecret()
      (stored.what, stored.place, stored.protection) = (what, home.folder.path, KeyProtection(protection))
      (stored.isDeviceBound, stored.inMemory) = (facts.isBound(protection), memory)
      return stored
    }
    return [stored(.key, facts.protection, facts.memory)]
      + (facts.words.map { [stored(.words, $0, "for one use")] } ?? [])
  }

  // MARK: the facts

  func receiptFacts(of identity: Identity) throws -> ReceiptFacts {
    let key = identity.publicKey
    let vault = home.vault
    var facts = ReceiptFacts(identity: identity, now: Clock.seconds)
    guard let protection = try vault.protection(of: .identityKey, id: key.bytes.array) else { throw VaultError.notFound }
    facts.protection = protection
    facts.binding = try vault.deviceBinding
    if let words = identity.words { facts.words = try vault.protection(of: .identityWords, id: words.array) }
    facts.pushProxy = services.registrations.plan?.proxy.host
    facts.guardians = try services.guardians.guardians().count
    let pamServices = pamServices()
    facts.opens = try waysIn().filter { $0.opens.contains(protection) }.map {
      .init(info: $0, pamService: pamServices[$0.id] ?? "")
    }
    facts.opensWords = try vault.slots.filter { slot in facts.words.map(slot.opens.contains) ?? false }.count
    if facts.protection.base == .biometricRequired {
      _ = try? vault.checkFingers()
      (facts.fingers, facts.fingersNow) = ((try? vault.enrolledFingers()) ?? nil, vault.lastFingerSighting)
    }
    facts.kits = kits(for: identity, facts.protection)
    let entries = try entriesAboutCopies()
    facts.exports = Self.exports(of: key, in: entries)
    facts.logBegins = try firstEntry()
    facts.isMakingLogged = entries.contains { Self.makings.contains($0.kind) && $0.identity == key }
    // A backup that is older than the key does not contain it.
    let backups = facts.protection.isThisDeviceOnly ? KnownBackups() : try knownBackups(entries, since: identity.createdAt)
    let ways = facts.opens.map(\.info)
    let made = facts.protection.isThisDeviceOnly ? nil : backups.made ?? Self.restoredBackup(in: entries)
    facts.backedUp = made.flatMap { $0 / 1000 >= identity.createdAt ? $0 / 1000 : nil }
    facts.backupStanding = BackupStanding(backups, keys: identity.createdAt, ways: ways)
    facts.doesBackupOpen = backups.made.map { !BackupWays(ways, ofBackupMade: $0).open.isEmpty } ?? false
    facts.backupPlace = backups.place?.to
    return facts
  }

  /// The PAM services of slots by slot id, as `slot/list` shows them.
  private func pamServices() -> [UInt32: String] {
    var services: [UInt32: String] = [:]
    for slot in (try? home.vault.slots) ?? [] { services[slot.id] = SlotDevices.pamService(of: slot) }
    return services
  }

  /// The kits that restore this identity: its own, and the vault's if its class is in them.
  private func kits(for identity: Identity, _ protection: ProtectionClass) -> [RecoveryKit] {
    ((try? kits()) ?? []).filter { kit in
      guard kit.isHandedOut else { return false }
      return kit.identity.map { $0 == identity.publicKey } ?? !protection.isThisDeviceOnly
    }
  }

  /// The last time of each format in which the key, or its words, were exported.
  private static func exports(of key: PublicKey, in entries: [AuditEntry]) -> [String: Int64] {
    var last: [String: Int64] = [:]
    for entry in entries where entry.kind == .keyExported && entry.identity == key {
      last[(entry.code ?? entry.rule)?.description ?? "ncryptsec"] = entry.time / 1000
    }
    return last
  }

  private static let makings: Set<AuditEntry.Kind> = [.identityCreated, .identityImported]

  /// The log's entries about identities made, exported keys and backups, oldest first. Read once, since this reads the whole log. If the log
  /// is sealed, there is no receipt, because it would say too little.
  private func entriesAboutCopies() throws -> [AuditEntry] {
    home.outbox.settle()
    let filter = AuditFilter(kinds: KnownBackups.kinds.union(Self.makings).union([.keyExported, .backupRestored]))
    return try home.log.tail(Self.entriesRead, matching: filter).map(\.entry)
  }

  /// When the backup was made that the vault was restored from, in milliseconds since 1970; nil for a vault that was not restored. Its file
  /// opened then, and has every key that was in it.
  private static func restoredBackup(in entries: [AuditEntry]) -> Int64? {
    entries.last { $0.kind == .backupRestored }.flatMap { $0.rule.flatMap(BackupReason.timeOfRestored) }.map { $0 * 1000 }
  }

  /// The time of the first entry that can be read, in seconds.
  private func firstEntry() throws -> Int64? {
    return try home.log.read(from: 1, limit: 1).first.map { $0.entry.time / 1000 }
  }

  /// More exports and backups than a receipt needs.
  private static let entriesRead = 10_000
}

extension KeyOpener {
  fileprivate init(_ slot: ReceiptFacts.Slot) {
    self.init()
    let info = slot.info
    (self.slot, label, kind) = (Int64(info.id), info.label, SlotKind(info.type))
    (lastUsed, lastTested) = (info.lastUsed.map { $0 / 1000 }, info.lastTested.map { $0 / 1000 })
    lastWorked = info.lastWorked.map { $0 / 1000 }
    pamService = slot.pamService.isEmpty ? nil : slot.pamService
  }
}
