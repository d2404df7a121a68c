public import SecretMemory

/// The body of a response.
public enum HTTPBody: Sendable {
  case open([UInt8])
  /// Wiped when it has been sent or cannot be sent, together with every copy that was made of it on the way to the kernel or to
  /// OpenSSL.
  case secret(SecretBox)

  /// The length in bytes.
  public var count: Int {
    switch self {
    case .open(let bytes): bytes.count
    case .secret(let box): box.count
    }
  }

  /// A body without secrets.
  public var openBytes: [UInt8] { if case .open(let bytes) = self { bytes } else { [] } }

  /// Lends a copy of a part of the body, in the loop's scratch memory.
  func withPiece<R>(_ range: Range<Int>, in scratch: inout Scratch, _ body: (UnsafeMutablePointer<UInt8>, Int) -> R) -> R {
    switch self {
    case .open(let bytes): scratch.with(bytes[range], body)
    case .secret(let box): box.withBytes { scratch.with(secret: UnsafeRawBufferPointer(rebasing: $0[range]), body) }
    }
  }
}
