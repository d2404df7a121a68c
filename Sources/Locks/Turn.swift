/// What a lock holds that guards an order of steps and no value: `Locked(Turn())`.
///
/// Not `()`: an empty value has the address of what lies behind it in the lock, and ThreadSanitizer reports a race between the two.
public struct Turn: Sendable {
  private let byte: UInt8 = 0
  /// The only one there is.
  public init() {}
}
