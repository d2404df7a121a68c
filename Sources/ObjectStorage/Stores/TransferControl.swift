/// Cancels a transfer and observes its progress.
package struct TransferControl: Sendable {
  /// Asked several times a second, on the transfer's thread.
  package var isCancelled: @Sendable () -> Bool
  /// Called with the bytes transferred so far and in all, in either direction.
  package var progress: @Sendable (_ done: UInt64, _ of: UInt64) -> Void

  /// Does nothing, unless told otherwise.
  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) { (self.isCancelled, self.progress) = (isCancelled, progress) }
}
