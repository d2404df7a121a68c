package import AuditLog
import Encodings
import Platform
import SecretMemory
package import Vault

/// What the vault stores for the audit log: its keys, and the log's last known end.
package enum LogRecords {
  /// Decrypts entries. Available only while unlocked.
  private static let sealing = Array("sealing".utf8)
  /// The key that entries are encrypted to. Available as long as the daemon runs, so that it can start locked.
  private static let sealingKey = Array("sealing key".utf8)
  /// Signs heads. Available as long as the daemon runs.
  private static let signing = Array("signing".utf8)
  package static let anchor = Array("anchor".utf8)

  /// The log's keys, made when there are none yet. For a locked vault, only those that append.
  package static func keys(_ vault: Vault) throws(SignerError) -> AuditKeys {
    do {
      if vault.isLocked { return try appending(vault) }
      if try found(sealing, in: vault) == nil { try make(in: vault) }
      let signing = SecretBox(try vault.secret(kind: .logKey, id: signing))
      let keys = AuditKeys(sealing: try vault.secret(kind: .logKey, id: sealing), signing: signing) {
        do { return SecretBox(try vault.secret(kind: .logKey, id: sealing)) } catch { return nil }
      }
      guard let keys else { throw VaultError.corrupt(what: "log key") }
      if try found(sealingKey, in: vault) == nil {
        var bytes = keys.sealingKey.array
        let key = SecretBox(try SecretBytes(wiping: &bytes))
        try vault.transaction([.put(.logKey, sealingKey, key, .afterFirstUnlock)])
      }
      return keys
    } catch { throw SignerError(error) }
  }

  private static func appending(_ vault: Vault) throws -> AuditKeys {
    guard let key = try found(sealingKey, in: vault)?.withBytes({ Bytes32([UInt8]($0)) }) else { throw VaultError.locked }
    let signing = SecretBox(try vault.secret(kind: .logKey, id: signing))
    let keys = AuditKeys(sealingKey: key, signing: signing) {
      do { return SecretBox(try vault.secret(kind: .logKey, id: sealing)) } catch { return nil }
    }
    guard let keys else { throw VaultError.corrupt(what: "log key") }
    return keys
  }

  private static func make(in vault: Vault) throws {
    try vault.transaction([
      .put(.logKey, sealing, SecretBox(try SecretBytes(randomCount: 32)), .whenUnlocked),
      .put(.logKey, signing, SecretBox(try SecretBytes(randomCount: 32)), .afterFirstUnlock),
    ])
  }

  /// The last noted end of the log; nil when there is none.
  package static func anchor(_ vault: Vault) throws(SignerError) -> AuditAnchor? {
    do {
      guard let stored = try found(anchor, in: vault) else { return nil }
      guard let known = stored.withBytes({ AuditAnchor(Array($0)) }) else { throw VaultError.corrupt(what: "log key") }
      return known
    } catch { throw SignerError(error) }
  }

  /// The highest revision in the head of the home's log. 0 unless that is the log that the vault knows: anybody can make another
  /// log and sign its head.
  package static func headRevision(_ home: Home, _ vault: Vault) -> UInt64 {
    guard let known = try? anchor(vault), let extent = try? AuditLog.extent(folder: home.log), extent.log == known.log else {
      return 0
    }
    return ((try? AuditLog.headVault(folder: home.log)) ?? nil)?.revision ?? 0
  }

  private static func found(_ id: [UInt8], in vault: Vault) throws(VaultError) -> SecretBox? {
    do { return SecretBox(try vault.secret(kind: .logKey, id: id)) } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }

  /// - Returns: false when it could not be stored.
  @discardableResult
  package static func save(_ found: AuditAnchor, in vault: Vault) -> Bool {
    guard let change = change(to: found) else { return false }
    return (try? vault.transaction([change])) != nil
  }

  /// The change that notes the log's end, for another transaction. Nil when memory is short.
  package static func change(to found: AuditAnchor) -> RecordChange? {
    var bytes = found.bytes
    guard let value = try? SecretBytes(wiping: &bytes) else { return nil }
    return .put(.logKey, anchor, SecretBox(value), .afterFirstUnlock)
  }
}

extension Home {
  /// The observer that notes the end of this home's log in its vault.
  var logObserver: LogObserver {
    LogObserver { [log] in
      do throws(AuditLogError) {
        guard let found = try AuditLog.extent(folder: log) else { return LogExtent.none }
        return LogExtent(log: found.log, count: found.count)
      } catch { return nil }
    }
  }
}

extension Opening {
  /// The log of a home whose vault is open and unlocked, for appending.
  /// - Parameter isNew: there was no log before, whatever the vault knows.
  package static func log(_ home: Home, _ vault: Vault, isNew: Bool = false, now: Int64) throws(SignerError) -> AuditLog {
    let (keys, anchor) = (try LogRecords.keys(vault), isNew ? nil : try LogRecords.anchor(vault))
    let marks = VaultMarks { [vault] in vault.mark.flatMap { VaultMark($0) } }
    do { return try AuditLog.open(folder: home.log, keys: keys, anchor: anchor, marks: marks, now: now) } catch {
      // Somebody who changed the log may have done more. Once it is repaired, only the owner can resume.
      if case .fault = error { _ = Suspension(home).mark() }
      throw SignerError(error)
    }
  }
}

extension OpenedHome {
  /// Notes the log's end in the vault, unless it is already known. Waits for the disk, so it is not called while handling a
  /// request.
  package func noteLog() {
    notedCount.withLock { noted in
      guard noted != log.count, let anchor = log.anchor(), LogRecords.save(anchor, in: vault) else { return }
      noted = anchor.count
    }
  }
}
