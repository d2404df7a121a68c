import ObjectStorage
import Platform
import Signer
import Vault

/// The list of revocations beside the backups. It holds what an older backup cannot know.
extension Backups {
  /// Stores the list at a place and reads it back. Entries of a list there that this vault does not know are added first: entries
  /// are only ever added, even if two machines write alternately.
  /// - Parameter number: the number of the backup beside it.
  /// - Returns: how many entries it has.
  func bringRevocations(
    to store: any FileStore, number: UInt64, _ control: TransferControl
  ) throws -> Int64 {
    let name = BackupName.revocations(vault.id)
    let key = try revocations.keyMadeIfMissing()
    let there = try store.small(name, control)
    let known = there.flatMap { try? RevocationList(opening: $0, of: vault.id, under: key) }
    if let known { try revocations.add(known.entries) }
    let list = RevocationList(
      number: max(number, known?.number ?? 0), writtenAt: Clock.milliseconds, entries: try revocations.entries())
    let bytes = try list.sealed(for: vault.id, under: key)
    try store.replace(name, with: bytes, control)
    guard try store.small(name, control) == bytes else { throw ObjectStorageError.notKept }
    return Int64(list.entries.count)
  }

  /// The list as a file, for a browser that puts it beside a backup itself.
  package func revokedApps() throws -> (name: String, bytes: [UInt8], entries: Int64) {
    let list = RevocationList(
      number: try records.lastNumber(), writtenAt: Clock.milliseconds, entries: try revocations.entries())
    let bytes = try list.sealed(for: vault.id, under: try revocations.keyMadeIfMissing())
    return (BackupName.revocations(vault.id), bytes, Int64(list.entries.count))
  }

  /// Stores the list at the plan's place if an older one is there. This happens soon after an app was revoked, not only with the
  /// next backup.
  func sendRevocations() {
    guard let plan = try? records.plan(), begin() else { return }
    defer { end() }
    let result: Result<Int64, any Error>
    do {
      let number = try records.lastNumber()
      result = .success(try bringRevocations(to: try store(of: plan), number: number, cancellation))
    } catch { result = .failure(error) }
    noteRevocations(result, of: plan)
  }

  /// The same at once, for a command that runs without a daemon.
  package func sendRevocationsIfDue() {
    if let plan = try? records.plan(), areRevocationsDue(plan) { sendRevocations() }
  }

  /// Whether the list at the plan's place lacks some, and it is time to try.
  func areRevocationsDue(_ plan: BackupPlan) -> Bool {
    guard plan.revocationsSent != revocationCount() else { return false }
    return mayTryRevocations(every: plan.every)
  }

  private func noteRevocations(_ result: Result<Int64, any Error>, of plan: BackupPlan) {
    triedRevocations(hasFailed: (try? result.get()) == nil)
    // The owner may have changed the plan meanwhile.
    guard var current = try? records.plan(), current.made == plan.made else { return }
    current.note(result, describe)
    try? records.save(current)
  }
}

extension BackupPlan {
  mutating func note(_ revocations: Result<Int64, any Error>, _ describe: (any Error) -> String) {
    switch revocations {
    case .success(let count): (revocationsSent, revocationsError) = (count, nil)
    case .failure(let failure): revocationsError = describe(failure)
    }
  }
}

extension FileStore {
  /// Reads a list of revocations, or whatever has its name; nil for none. It reads no more bytes than a list may have.
  func small(_ name: String, _ control: TransferControl) throws(ObjectStorageError) -> [UInt8]? {
    let taken = Taken()
    do throws(ObjectStorageError) {
      try get(name, control) { piece in
        guard taken.bytes.count + piece.count <= RevocationList.maximumLength else {
          taken.isTooLong = true
          return false
        }
        taken.bytes += piece
        return true
      }
    } catch {
      if taken.isTooLong { return [] }
      if case .notFound = error { return nil }
      throw error
    }
    return taken.bytes
  }
}

/// Collects what a transfer delivers in pieces, before it returns.
private final class Taken {
  var bytes: [UInt8] = []
  var isTooLong = false
}
