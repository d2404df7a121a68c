/// The part of the log with no wrong secret after the last right one. The next opening need not search it.
struct QuietPart: Sendable {
  /// Up to this entry there is no wrong secret.
  private var count: UInt64
  /// Whether the same is true of all later entries.
  private var isOpen = false
  /// The last wrong secret since the log was opened.
  private var lastWrong: UInt64 = 0
  /// The codes of entries about right secrets; empty while they are not known.
  private var codes: Set<AuditRule> = []

  /// - Parameter count: what the head says.
  init(count: UInt64) { self.count = count }

  /// The entries that were there at opening have been read.
  /// - Parameters:
  ///   - last: the last of them; nil when there are wrong secrets among them.
  ///   - codes: those of entries about right secrets.
  mutating func learn(_ last: UInt64?, clearedBy codes: Set<AuditRule>) {
    self.codes = codes
    guard let last, !isOpen else { return }
    (count, isOpen) = lastWrong > last ? (lastWrong - 1, false) : (last, true)
  }

  /// Takes an entry that was written into account.
  mutating func pass(_ entry: AuditEntry, _ sequence: UInt64) {
    if entry.clearsAttempts(codes) {
      (count, isOpen) = (sequence, true)
    } else if entry.kind == .vaultOpenFailed {
      if isOpen { (count, isOpen) = (sequence - 1, false) }
      lastWrong = sequence
    }
  }

  /// - Parameter last: the last entry there is.
  func end(at last: UInt64) -> UInt64 { isOpen ? last : count }
}
