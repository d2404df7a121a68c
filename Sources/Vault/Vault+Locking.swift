import Encodings
import Platform
public import SecretMemory

extension Vault {
  /// Whether keys and words of identities can be read.
  public var isLocked: Bool {
    do { return try withOpen { open in !open.keys.has(.whenUnlocked) } } catch { return true }
  }

  /// Wipes the keys of the class `whenUnlocked`: keys and words of identities cannot be read until `unlock`.
  ///
  /// The file, its lock and the class `afterFirstUnlock` stay available: pairings, settings and waiting requests can still be
  /// read and written. Waits for a transaction that is being written. May be called twice.
  public func lock() { forgetSession() }

  /// Whether no class key at all is in memory: only the file and its lock are held. Not after `close`, when these are gone as well.
  public var isShut: Bool {
    do { return try withOpen { open in !open.keys.has(.afterFirstUnlock) } } catch { return false }
  }

  /// Wipes all class keys, also that of the class `afterFirstUnlock`, and what followed from them: no record can be read or written
  /// until `unlock`, and no other proof opens more than what it is for.
  ///
  /// The file and its lock stay, and so does the count of attempts. Waits for a transaction that is being written. May be called twice.
  public func shut() { forgetEverything() }

  /// Opens the class `whenUnlocked` again, and after `shut` the class `afterFirstUnlock`.
  ///
  /// Counts and waits as `open` does: an attempt is stored as failed before the passphrase is tried. The passphrase function runs
  /// without blocking other calls.
  /// - Parameter now: milliseconds, as for `open`.
  /// - Returns: how many attempts with a wrong passphrase came before this one.
  /// - Throws: `.throttled`, `.wrongPassphrase`, `.io`, `.corrupt`, `.costOutOfRange`, `.outOfMemory`, `.noSuchSlot`, `.closed`.
  @discardableResult
  public func unlock(passphrase: borrowing SecretBytes, now: Int64) throws(VaultError) -> Int {
    let opener = try PassphraseOpener(copying: passphrase)
    do { return try unlock(with: opener, now: now).failedAttempts } catch { throw VaultError(error) }
  }

  /// Opens again what the slot opens: the class `whenUnlocked` stays locked when the slot is a keyring's.
  /// - Throws: `.authenticationFailed` when the opener opens no slot, `.vault` with `.noSuchSlot`, `.throttled` or another of the
  ///   vault's faults, and what the opener throws.
  @discardableResult
  public func unlock(with opener: some SlotOpener, now: Int64) throws(KeyStoreError) -> SlotOpening {
    try attempt(opener, now, isUnlocking: true) { open, proof throws(VaultError) in open.install(proof.keys) }
  }

  /// Tries the passphrase and opens nothing, for what the owner is to confirm. Counts and waits as `unlock`.
  @discardableResult
  public func verify(passphrase: borrowing SecretBytes, now: Int64) throws(VaultError) -> Int {
    let opener = try PassphraseOpener(copying: passphrase)
    do { return try attempt(opener, now) { _, _ throws(VaultError) in }.failedAttempts } catch { throw VaultError(error) }
  }

  /// Tries any way to unlock and opens nothing.
  /// - Returns: the id of the slot.
  /// - Throws: as `unlock(with:)`.
  @discardableResult
  public func verify(with opener: some SlotOpener, now: Int64) throws(KeyStoreError) -> UInt32 {
    try attempt(opener, now) { _, _ throws(VaultError) in }.slot
  }

  /// Tries a credential elsewhere, at a backup, because no slot of this vault can be tried with it. Counts and waits as `verify`,
  /// but the right one does not clear the count.
  /// - Parameter open: gives nil if the credential is wrong. If it throws, nothing was learnt about the credential.
  /// - Throws: `KeyStoreError` as `verify`, and what `open` throws.
  public func attempt<Opened>(elsewhere type: SlotType, now: Int64, _ open: () throws -> Opened?) throws -> Opened {
    try attempting.withLock {
      let attempt = try keyStoreFault { () throws(VaultError) in
        try withOpen { open throws(VaultError) in try Attempt(at: type, in: open.database, now: now) }
      }
      var isWrong = false
      defer { if !isWrong { try? withOpen { open throws(VaultError) in attempt.undo(in: open.database) } } }
      guard let opened = try open() else {
        isWrong = true
        throw attempt.failure(now: now)
      }
      return opened
    }
  }

  /// What was shown of a slot.
  struct Proof {
    let slot: ProvenSlot
    /// Every class key it opens.
    let keys: ClassKeys
  }

  /// Tries an opener, without the vault's lock while that is slow, one at a time. Slots and class keys are changed only in here.
  /// - Parameter isUnlocking: whether a vault that was shut stays open afterwards.
  func attempt(
    _ opener: some SlotOpener, _ now: Int64, isTest: Bool = false, isUnlocking: Bool = false,
    then body: (inout Open, Proof) throws(VaultError) -> Void
  ) throws(KeyStoreError) -> SlotOpening {
    var change: FingerprintChange?
    defer { if let change { tellFingers(change) } }
    if opener.type != .keyring { lookAtFingers() }  // may take a moment, and holds up nobody
    return try attempting.withLock { () throws(KeyStoreError) in
      let (header, attempt) = try keyStoreFault { () throws(VaultError) in
        try withOpen { open throws(VaultError) in
          (open.header, try Attempt(at: opener.type, in: open.database, now: now))
        }
      }
      let proven: ProvenSlot?
      do throws(KeyStoreError) { proven = try ProvenSlot.find(opener, in: header) } catch {
        try? withOpen { open throws(VaultError) in attempt.undo(in: open.database) }
        throw error
      }
      guard let proven else { throw attempt.failure(now: now) }
      try keyStoreFault { () throws(VaultError) in
        try withOpen { open throws(VaultError) in
          let found = try proven.classKeys(of: header, device: open.device)
          guard try found.mac(of: open.header.bytes, vaultID: header.vaultID) == open.headerCode else {
            throw VaultError.corrupt(what: "header")
          }
          var staysShut = !open.keys.has(.afterFirstUnlock)
          defer { if staysShut { open.keys.forgetAll() } }
          if staysShut { try open.reopen(found) }
          // Looked at before any of these keys is used.
          if open.header.isStrict, open.inventory.strict?.sums == nil, found.has(.whenUnlocked) {
            let table = RecordTable(open.database, header.vaultID, open.keys.merging(found), open.kinds)
            open.inventory.strict = try table.checkedStrict()
          }
          let all = try open.used(proven, found, attempt, now: now, isTest: isTest)
          open.installLasting(all)
          let settled = try settleFingers(&open, with: all, by: proven.type)
          change = settled.change
          try body(&open, Proof(slot: proven, keys: settled.keys))
          if isUnlocking { staysShut = false }
        }
      }
      return SlotOpening(slot: proven.slot.id, type: proven.type, failedAttempts: attempt.before.failures)
    }
  }
}
