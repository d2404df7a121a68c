/// A secret that several owners share, for example a key ring. Wiped when the last owner lets go.
public final class SecretBox: Sendable {
  private let secret: SecretBytes

  /// Takes the secret over.
  public init(_ secret: consuming SecretBytes) { self.secret = secret }

  /// Length in bytes.
  public var count: Int { secret.count }

  /// Lends the bytes for the length of one call. They must not escape `body`.
  public func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try secret.withBytes(body)
  }

  /// An own copy of the secret, with its own life.
  public func duplicate() throws(SecretBytesError<Never>) -> SecretBytes { try secret.duplicate() }
}

extension SecretBox: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the bytes, nor their number.
  public var description: String { "<secret>" }
  /// Never the bytes, nor their number.
  public var debugDescription: String { "<secret>" }
  /// Without children, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
