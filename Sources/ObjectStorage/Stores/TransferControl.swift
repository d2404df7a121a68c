/// How a transfer is watched and ended.
package struct TransferControl: Sendable {
  /// Asked several times a second, on the thread that transfers.
  package var isCancelled: @Sendable () -> Bool
  /// Hears how many bytes of how many went, in either direction.
  package var progress: @Sendable (_ done: UInt64, _ of: UInt64) -> Void

  /// Nobody watches, unless told otherwise.
  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) { (self.isCancelled, self.progress) = (isCancelled, progress) }
}
