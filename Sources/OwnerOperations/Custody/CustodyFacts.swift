import Curve
import Identities
import OwnerAPI
import OwnerWords
import Vault

/// What is known about the keys' custody at one moment. Security, vault, backup and home all show what is judged from it.
struct CustodyFacts {
  enum OlderBackups {
    /// There may be some, as far as is known.
    case some
    /// No backup was ever made.
    case none
    /// The vault was restored from one, and no backup was made since.
    case restored
  }

  /// A backup older than this is not fresh, in seconds: 30 days.
  static let freshFor: Int64 = 30 * 86_400

  /// Seconds since 1970.
  let now: Int64
  /// The slots that somebody can use.
  var slots: [SlotInfo] = []
  /// The kits whose shares are with people, as far as is known.
  var kits: [RecoveryKit] = []
  /// The identities with the classes of their keys.
  var keys: [(identity: Identity, protection: ProtectionClass)] = []
  /// When a copy of a key was last exported, in seconds since 1970.
  var exported: [PublicKey: Int64] = [:]
  /// The backups that were made within `freshFor`.
  var backups = KnownBackups()
  /// What the log says of backups that are older than 30 days.
  var olderBackups = OlderBackups.some
  /// Whether a link offers a relay that other machines reach. Nil if no signer runs.
  var isReachable: Bool?

  init(now: Int64) { self.now = now }

  // MARK: judgement

  /// The ways in, with those that restore one identity only at the end.
  var ways: [CustodyWay] {
    slots.map { slot in CustodyWay(slot, kits.first { $0.content == .slot(slot.id) }) }
      + kits.compactMap { kit in kit.identity.map { key in CustodyWay(kit, of: name(of: key)) } }
  }

  var custodyKeys: [CustodyKey] {
    let ways = ways
    return keys.map { identity, protection in
      var key = CustodyKey()
      (key.name, key.pubkey, key.protection) = (identity.name, identity.publicKey.hex, KeyProtection(protection))
      key.ways = ways.filter { $0.opens.contains(key.protection) || $0.identity == identity.name }.map(\.id)
      key.exported = exported[identity.publicKey]
      key.endsWithOneLoss = key.ways.count < 2 && key.exported == nil
      return key
    }
  }

  var steps: [CustodyStep] {
    [secondWay, kitTested, backupFresh, relaysReachable].compactMap { $0 }
  }

  // An exported copy is no way in: it opens nothing here, and nobody knows whether it still exists.
  private var secondWay: CustodyStep {
    let alone = custodyKeys.filter { $0.ways.count < 2 }.map(\.name)
    let isDone = alone.isEmpty && slots.count { $0.type != .keyring } > 1
    return CustodyStep(
      .secondWay, isDone,
      isDone
        ? "Every key has a second way in."
        : alone.isEmpty ? "There is only one way to unlock the vault." : "Only one thing opens \(alone.joined(separator: ", ")).",
      .addWay)
  }

  private var kitTested: CustodyStep {
    let tested = ways.filter { $0.kit != nil }.map(\.lastWorked)
    let isDone = !tested.isEmpty && !tested.contains(nil)
    return CustodyStep(
      .kitTested, isDone,
      tested.isEmpty
        ? "There is no recovery kit." : isDone ? "Every recovery kit was tested." : "A recovery kit was never tested.",
      tested.isEmpty ? .makeKit : .testKit, last: tested.compactMap { $0 }.max())
  }

  /// What the backups are worth if this machine is lost.
  var backupStanding: BackupStanding {
    let newest = keys.filter { !$0.protection.isThisDeviceOnly }.map(\.identity.createdAt).max() ?? 0
    return BackupStanding(backups, keys: newest, ways: slots)
  }

  // A file that was downloaded or written may never have arrived where it should be kept.
  var backupFresh: CustodyStep {
    func open(_ text: String, _ remedy: Remedy, _ made: Int64?) -> CustodyStep {
      CustodyStep(.backupFresh, false, text, remedy, last: made)
    }
    return switch backupStanding {
    case .none:
      open(noBackup, .makeBackup, nil)
    case .lacksKey(let made): open("A key was added after the last backup.", .makeBackup, made)
    case .notOpened(let type, let made): open(Self.notOpened(by: type), .makeBackup, made)
    case .unchecked(let made): open("The last backup is a file that was not checked yet.", .checkBackup, made)
    case .onlyOnVaultsDisk(let made):
      open("The last backup is only on this disk: if the disk breaks, the vault and its backup are lost.", .moveBackup, made)
    case .sound(let made):
      CustodyStep(
        .backupFresh, true, "The last backup has every key that backups can have, and opens with all that opens the vault.",
        .makeBackup, last: made)
    }
  }

  private var noBackup: String {
    switch olderBackups {
    case .some: "No backup was made in the last 30 days."
    case .none: "No backup was made yet."
    case .restored: "This vault was restored from a backup, and no backup was made since."
    }
  }

  private static func notOpened(by type: SlotType) -> String {
    switch type {
    case .passphrase: "The passphrase was set after the last backup, which does not open with it."
    case .recovery: "A recovery kit was made after the last backup, which does not open with it."
    case .passkey: "A passkey was added after the last backup, which does not open with it."
    case .token: "A token was added after the last backup, which does not open with it."
    case .keyring: "The keyring was added after the last backup, which does not open with it."
    }
  }

  private var relaysReachable: CustodyStep? {
    isReachable.map { isReachable in
      CustodyStep(
        .relaysReachable, isReachable,
        isReachable
          ? "Apps on other devices can reach the signer."
          : "All relays are on this machine, so no other device reaches the signer.",
        .addRelay)
    }
  }

  private func name(of key: PublicKey) -> String? { keys.first { $0.identity.publicKey == key }?.identity.name }
}

extension CustodyStep {
  fileprivate init(_ name: Name, _ isDone: Bool, _ text: String, _ remedy: Remedy, last: Int64? = nil) {
    self.init()
    (self.name, self.isDone, self.text, self.remedy, self.last) = (name, isDone, text, remedy, last)
  }
}

extension CustodyWay {
  /// A slot. A kit counts as tried when its shares or its slot were.
  fileprivate init(_ slot: SlotInfo, _ kit: RecoveryKit?) {
    self.init()
    (id, kind, label) = ("slot-\(slot.id)", SlotKind(slot.type), slot.label)
    (self.slot, self.kit) = (Int64(slot.id), kit?.id)
    lastWorked = [slot.lastWorked.map { $0 / 1000 }, kit?.lastTested].compactMap { $0 }.max()
    opens = slot.opens.map(KeyProtection.init)
  }

  fileprivate init(_ kit: RecoveryKit, of identity: String?) {
    self.init()
    (id, kind, label) = ("kit-\(kit.id)", .recovery, kit.label)
    (self.kit, self.identity, lastWorked) = (kit.id, identity, kit.lastTested)
  }
}
