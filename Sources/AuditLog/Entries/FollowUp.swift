/// An entry that follows one that is already on the disk.
public struct FollowUp: Sendable {
  let entry: AuditEntry
  let written: @Sendable (Bool) -> Void

  /// - Parameters:
  ///   - entry: to be in the file before `written` is called.
  ///   - written: called once, on the log's thread as a rule: be brief. False when the entry is not in the file, and never will be.
  public init(_ entry: AuditEntry, written: @escaping @Sendable (Bool) -> Void) { (self.entry, self.written) = (entry, written) }
}
