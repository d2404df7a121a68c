public import SecretMemory

/// A value that can be kept as an item: it turns itself into secret bytes and back, and leaves no copy of them elsewhere.
public protocol SecretCodable: ~Copyable {
  /// The value's bytes, 1 or more.
  /// - Throws: `.vault(.outOfMemory)`, or `.corrupt` for a value that cannot be kept.
  borrowing func secretBytes() throws(KeyStoreError) -> SecretBytes

  /// The value of stored bytes.
  /// - Throws: `.corrupt` for bytes that are no such value.
  init(secretBytes: borrowing SecretBytes) throws(KeyStoreError)
}

extension SecretBytes: SecretCodable {
  /// A copy.
  public borrowing func secretBytes() throws(KeyStoreError) -> SecretBytes {
    do { return try duplicate() } catch { throw .vault(.outOfMemory) }
  }

  /// A copy.
  public init(secretBytes: borrowing SecretBytes) throws(KeyStoreError) {
    do { self = try secretBytes.duplicate() } catch { throw .vault(.outOfMemory) }
  }
}
