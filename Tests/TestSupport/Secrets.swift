import Encodings
public import SecretMemory

/// Bytes for a test as a secret: at least one. The array that is passed stays as it is.
public func secret(_ bytes: [UInt8]) throws -> SecretBytes {
  var bytes = bytes
  return try SecretBytes(wiping: &bytes)
}

/// The UTF-8 of a text as a secret.
public func secret(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }

/// Bytes for a test as a secret that several may hold.
public func box(_ bytes: [UInt8]) throws -> SecretBox { SecretBox(try secret(bytes)) }

/// Hex digits as a secret.
public func secret(hex: String) throws -> SecretBytes { try secret(bytes(hex)) }

/// The bytes of a hex text; none for a text that is not hex.
public func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

extension SecretBytes {
  /// A copy, for comparing.
  public borrowing func array() -> [UInt8] { withBytes { [UInt8]($0) } }
  /// A copy as text, for comparing.
  public borrowing func text() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }
  /// A copy as lower-case hex, for comparing.
  public borrowing func hex() -> String { withBytes { Hex.encode($0) } }
}

extension [UInt8] {
  /// Lower-case hex.
  public var hex: String { Hex.encode(self) }
}
