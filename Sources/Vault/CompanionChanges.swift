import Platform

/// Changes that are stored in the same step as one that somebody else makes: both, or neither.
///
/// The audit log's entry for a change is stored in this way, whichever of the vault's functions makes the change.
public final class CompanionChanges: Sendable {
  /// Those of the closure that runs on this thread now.
  private static let current = ThreadLocal<CompanionChanges>()

  private let changes: @Sendable ([RecordChange]) -> [RecordChange]
  private let stored = Locked(false)

  /// Nothing is stored yet.
  /// - Parameter changes: gets the records that the transaction changes, and says what it stores besides. Called within it: must not call
  ///   the vault.
  public init(_ changes: @escaping @Sendable (_ beside: [RecordChange]) -> [RecordChange]) { self.changes = changes }

  /// Whether they are on the disk.
  public var areStored: Bool { stored.withLock { $0 } }

  /// Runs a closure. The first transaction of a vault that it makes on this thread stores these changes, too. Opening a vault and
  /// showing a credential are no such transactions.
  public func accompany<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try Self.current.with(self, body)
  }

  /// The changes that the present transaction stores, too.
  static func waiting(beside changes: [RecordChange]) -> [RecordChange] {
    guard let current = current.value, !current.areStored else { return [] }
    return current.changes(changes)
  }

  /// After that transaction.
  static func noteStored() { current.value?.stored.withLock { $0 = true } }
}
