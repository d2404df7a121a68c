public import Curve
public import SecretMemory
public import Vault

extension SecretKey: SecretCodable {
  /// The key's 32 bytes.
  public borrowing func secretBytes() throws(KeyStoreError) -> SecretBytes {
    do { return try withBytes { bytes throws(SecretBytesError<Never>) in try SecretBytes(copying: bytes) } } catch {
      throw .vault(.outOfMemory)
    }
  }

  /// - Throws: `.corrupt` for anything but 32 bytes that are a key.
  public init(secretBytes: borrowing SecretBytes) throws(KeyStoreError) {
    let copy: SecretBytes
    do { copy = try secretBytes.duplicate() } catch { throw .vault(.outOfMemory) }
    do { self = try SecretKey(copy) } catch { throw error == .outOfMemory ? .vault(.outOfMemory) : .corrupt("secret key") }
  }
}
