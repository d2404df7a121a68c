import Identities
import JSON
import Mnemonics
import OwnerAPI
import OwnerWords
import Vault

/// The facts behind a receipt, read from the vault and the log at one moment.
struct ReceiptFacts {
  struct Slot {
    let info: SlotInfo
    /// The PAM service that is asked before the slot is used; empty for none.
    let pamService: String
  }

  let identity: Identity
  /// Seconds since 1970-01-01 UTC.
  let now: Int64
  var protection = ProtectionClass.whenUnlocked
  /// The class of the words that the key came from; nil if they are not here.
  var words: ProtectionClass?
  /// The slots that hold the key of the identity's class.
  var opens: [Slot] = []
  /// How many slots hold the key of the words' class.
  var opensWords = 0
  /// The kits that restore the key.
  var kits: [RecoveryKit] = []
  var guardians = 0
  /// The last time of each export format, in seconds.
  var exports: [String: Int64] = [:]
  /// When the last backup that has it was made, in seconds since 1970; nil for none.
  var backedUp: Int64?
  /// What the backups are worth for it if this machine is lost.
  var backupStanding = BackupStanding.none
  /// Whether something that opens it now opens the newest backup.
  var doesBackupOpen = false
  /// Where the schedule stored a backup that has it; nil if it stored none.
  var backupPlace: String?
  /// The host of the push proxy that wakes this device; nil for none.
  var pushProxy: String?
  /// The time of the first entry that the log can still show, in seconds since 1970; nil if there is none.
  var logBegins: Int64?
  /// Whether the log has the entry that says how the identity came here. In a home's first second that entry can be the log's first
  /// and later than the identity.
  var isMakingLogged = false
  /// What binds keys to this device.
  var binding = DeviceBinding.file
  /// The fingers that the class is enrolled with; nil if unknown.
  var fingers: FingerprintEnrolment?
  /// What the last check of the fingers found.
  var fingersNow = FingerprintReading.unknown(.notLooked)

  init(identity: Identity, now: Int64) { (self.identity, self.now) = (identity, now) }

  /// Whether the log lacks a part of the identity's time: a new log was begun, old content was dropped, or the home was restored.
  var isLogYounger: Bool { !isMakingLogged && (logBegins.map { $0 > identity.createdAt } ?? true) }

  /// Whether records of a class open on this machine only. That the class alone says so is not enough.
  func isBound(_ protection: ProtectionClass) -> Bool { protection.isThisDeviceOnly && binding.isOfThisMachine }

  /// When the plain key is in the signer's memory.
  var memory: String {
    if protection.needsPresence { return "for one use" }
    return protection.base == .afterFirstUnlock ? "from the first unlock until the signer ends" : "while unlocked"
  }

  /// Who could make the key again without this machine's files.
  var rebuilds: [KeyRebuild] {
    var list = kits.map { KeyRebuild($0, of: identity) }
    if identity.words != nil { list.append(KeyRebuild(wordsOf: identity, shown: exports["mnemonic"])) }
    if guardians > 0 { list.append(KeyRebuild(guardians: guardians)) }
    if backedUp != nil { list.append(KeyRebuild(.backup, at: backupPlace)) }
    if hasExportedCopy { list.append(KeyRebuild(.exportedCopy)) }
    return list
  }

  /// Whether a copy left that is not already in the list as the words.
  private var hasExportedCopy: Bool { exports.keys.contains { $0 != "mnemonic" || identity.words == nil } }

  /// What has left this device, with the last time.
  var leaves: [KeyOutside] {
    var list = exports.sorted { $0.key < $1.key }.map { format, time in
      KeyOutside("export as \(format)", isEncrypted: format != "nsec" && format != "mnemonic", time)
    }
    if let backedUp { list.append(KeyOutside("backup", isEncrypted: true, backedUp)) }
    return list
  }

  /// The last time, in seconds, that a kit which restores the key was tested. A test of the vault's kit from before the identity was made
  /// did not show that it restores this key.
  var kitTested: Int64? {
    kits.compactMap { kit in kit.lastTested.flatMap { kit.identity != nil || $0 >= identity.createdAt ? $0 : nil } }.max()
  }

  /// The last time, in seconds, that a slot which opens the key was used or tested.
  var slotTested: Int64? { opens.compactMap(\.info.lastWorked).max().map { $0 / 1000 } }
}

extension KeyOutside {
  fileprivate init(_ what: String, isEncrypted: Bool, _ time: Int64) {
    self.init()
    (self.what, self.isEncrypted, lastTime) = (what, isEncrypted, time)
  }
}

extension KeyRebuild {
  fileprivate init(_ kit: RecoveryKit, of identity: Identity) {
    self.init()
    let groups = kit.plan.groups
    (what, self.kit, kitFor) = (.recoveryKit, kit.id, kit.identity == nil ? "vault" : identity.name)
    threshold = groups.count == 1 ? Int64(groups[0].threshold) : nil
    shares = Int64(groups.reduce(0) { $0 + $1.count })
    lastTested = kit.lastTested
  }

  fileprivate init(wordsOf identity: Identity, shown: Int64?) {
    self.init()
    (what, hasPassphrase, lastShown, onPaper) = (.words, identity.hasWordsPassphrase, shown, "unknown")
  }

  fileprivate init(_ what: What, at place: String? = nil) {
    self.init()
    (self.what, self.place) = (what, place)
  }

  fileprivate init(guardians count: Int) {
    self.init()
    (what, self.count) = (.guardians, Int64(count))
  }
}
