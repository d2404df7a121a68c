import Encodings

/// One attempt at a slot: counted before it is made when the slot's secret can be guessed.
struct Attempt {
  /// As it was before.
  let before: Attempts
  /// Whether the slot's secret can be guessed: the right one clears the count.
  let counts: Bool

  /// - Throws: `.throttled`, `.io`, `.corrupt`.
  init(at type: SlotType, in database: Database, now: Int64) throws(VaultError) {
    counts = Entitlement.isGuessable(type)
    before = counts ? try AttemptTable.begin(in: database, now: now) : try AttemptTable.read(from: database)
  }

  /// Nothing was learnt about the secret: it was no attempt.
  func undo(in database: Database) { if counts { try? AttemptTable.write(before, to: database) } }

  func succeeded(in database: Database) throws(VaultError) {
    if counts { try AttemptTable.write(Attempts(failures: 0, failedAt: 0), to: database) }
  }

  func failure(now: Int64) -> KeyStoreError {
    let wait = counts ? Attempts(failures: before.failures + 1, failedAt: now).wait : 0
    return .authenticationFailed(triesLeft: nil, waitSeconds: wait)
  }
}
