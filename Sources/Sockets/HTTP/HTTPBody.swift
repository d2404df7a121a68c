public import SecretMemory

/// The body of an answer.
public enum HTTPBody: Sendable {
  case open([UInt8])
  /// Wiped when it is sent or cannot be, with every copy that was made of it on the way to the kernel or to OpenSSL.
  case secret(SecretBox)

  /// Bytes.
  public var count: Int {
    switch self {
    case .open(let bytes): bytes.count
    case .secret(let box): box.count
    }
  }

  /// The bytes of a body that is no secret.
  public var openBytes: [UInt8] { if case .open(let bytes) = self { bytes } else { [] } }

  /// Lends a copy of a piece, in the loop's scratch memory.
  func withPiece<R>(_ range: Range<Int>, in scratch: inout Scratch, _ body: (UnsafeMutablePointer<UInt8>, Int) -> R) -> R {
    switch self {
    case .open(let bytes): scratch.with(bytes[range], body)
    case .secret(let box): box.withBytes { scratch.with(secret: UnsafeRawBufferPointer(rebasing: $0[range]), body) }
    }
  }
}
