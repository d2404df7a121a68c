internal import CLinux
internal import Encodings
internal import Locks
public import SecretMemory

extension Vault {
  /// Whether keys and words of identities can be read.
  public var isLocked: Bool {
    do { return try withOpen { open in (try? open.keys.key(.whenUnlocked)) == nil } } catch { return true }
  }

  /// Wipes the key of the class `whenUnlocked`: keys and words of identities cannot be read until `unlock`.
  ///
  /// The file, its lock and the other class stay: pairings, settings and requests that wait go on being read and written. Waits
  /// for a transaction that is being written. May be called twice.
  public func lock() { forget(.whenUnlocked) }

  /// Opens the class `whenUnlocked` again.
  ///
  /// Counts and waits as `open` does: an attempt is failed, durably, before the passphrase is tried. The passphrase function runs
  /// without holding up other calls.
  /// - Parameter now: milliseconds, as for `open`.
  /// - Returns: how many attempts with a wrong passphrase came before this one.
  /// - Throws: `.throttled`, `.wrongPassphrase`, `.io`, `.corrupt`, `.costOutOfRange`, `.outOfMemory`, `.closed`.
  @discardableResult
  public func unlock(passphrase: borrowing SecretBytes, now: Int64) throws(VaultError) -> Int {
    try attempt(passphrase, now) { open, keys throws(VaultError) in
      open.keys.set(.whenUnlocked, try keys.key(.whenUnlocked))
    }
  }

  /// Tries the passphrase and changes nothing, for what the owner is to confirm. Counts and waits as `unlock`.
  @discardableResult
  public func verify(passphrase: borrowing SecretBytes, now: Int64) throws(VaultError) -> Int {
    try attempt(passphrase, now) { _, _ throws(VaultError) in }
  }

  private func attempt(
    _ passphrase: borrowing SecretBytes, _ now: Int64, then install: (inout Open, ClassKeys) throws(VaultError) -> Void
  ) throws(VaultError) -> Int {
    try attempting.withLock { _ throws(VaultError) in
      let (header, before) = try withOpen { open throws(VaultError) in
        (open.header, try AttemptTable.begin(in: open.database, now: now))
      }
      let keys = try find(passphrase, header, before, now)
      try withOpen { open throws(VaultError) in
        guard try keys.mac(of: open.header.bytes, vaultID: open.header.vaultID) == open.headerCode else {
          throw VaultError.corrupt(what: "header")
        }
        try AttemptTable.write(Attempts(failures: 0, failedAt: 0), to: open.database)
        try install(&open, keys)
      }
      return before.failures
    }
  }

  /// The slow part, without the vault's lock.
  private func find(
    _ passphrase: borrowing SecretBytes, _ header: VaultHeader, _ before: Attempts, _ now: Int64
  ) throws(VaultError) -> ClassKeys {
    defer { holdfast_give_memory_back() }  // what the passphrase function took
    let found: ClassKeys?
    do { found = try Self.unlock(header, passphrase) } catch {
      // Nothing was learnt about the passphrase: this was no attempt.
      try? withOpen { open throws(VaultError) in try AttemptTable.write(before, to: open.database) }
      throw error
    }
    guard let found else { throw .wrongPassphrase(waitSeconds: Attempts(failures: before.failures + 1, failedAt: now).wait) }
    return found
  }
}
