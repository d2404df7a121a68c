import CSecp256k1
public import Encodings

/// An x-only public key (BIP-340): 32 bytes, as Nostr writes it.
///
/// Any 32 bytes can stand here; that they are the x of a point is checked where the key is used, or by `isOnCurve`.
public struct PublicKey: Hashable, Sendable, Comparable {
  /// The x coordinate, big-endian.
  public let bytes: Bytes32

  /// Does not check that the bytes are a point.
  public init(_ bytes: Bytes32) { self.bytes = bytes }

  /// - Parameter hex: exactly 64 hex digits, either case.
  public init?(hex: String) {
    guard let bytes = Bytes32(hex: hex) else { return nil }
    self.bytes = bytes
  }

  /// 64 lower-case hex digits.
  public var hex: String { bytes.hex }

  /// Whether the bytes are the x coordinate of a point. Costs about 6 µs.
  public var isOnCurve: Bool { parsed() != nil }

  /// Order of the hex texts.
  public static func < (left: PublicKey, right: PublicKey) -> Bool { left.bytes < right.bytes }

  func parsed() -> secp256k1_xonly_pubkey? {
    var key = secp256k1_xonly_pubkey()
    let status = CurveContext.shared.withPointer { context in
      bytes.withUnsafeBytes { secp256k1_xonly_pubkey_parse(context, &key, $0.start) }
    }
    return status == 1 ? key : nil
  }

  /// The point with even y, as BIP-340 lifts it.
  func lifted() -> secp256k1_pubkey? {
    var key = secp256k1_pubkey()
    let status = CurveContext.shared.withPointer { context in
      bytes.withUnsafeBytes { x in
        withUnsafeTemporaryAllocation(byteCount: 33, alignment: 1) { compressed in
          compressed[0] = 2
          UnsafeMutableRawBufferPointer(rebasing: compressed[1...]).copyMemory(from: x)
          return secp256k1_ec_pubkey_parse(context, &key, compressed.start, 33)
        }
      }
    }
    return status == 1 ? key : nil
  }
}

extension PublicKey: CustomStringConvertible {
  /// 64 lower-case hex digits.
  public var description: String { hex }
}
