import CSodium
import Encodings

/// A point of Ed25519's group of prime order, 32 bytes.
struct EdwardsPoint: Hashable, Sendable {
  let bytes: Bytes32

  init(unchecked bytes: Bytes32) { self.bytes = bytes }

  /// - Returns: nil for what is not canonical, not on the curve, of small order, or has a part of small order.
  init?(_ bytes: Bytes32) {
    guard bytes.withUnsafeBytes({ crypto_core_ed25519_is_valid_point($0.octets) }) == 1 else { return nil }
    self.bytes = bytes
  }

  /// The neutral element, y = 1. Not a point that `init` takes from others.
  static let identity = EdwardsPoint(unchecked: EdwardsScalar.one.bytes)

  /// The base point as often as the number says.
  init(_ scalar: EdwardsScalar) {
    var status: Int32 = -1
    let product = Bytes32 { target in
      scalar.bytes.withUnsafeBytes { status = crypto_scalarmult_ed25519_base_noclamp(target.octets, $0.octets) }
    }
    self = status == 0 ? EdwardsPoint(unchecked: product) : .identity
  }

  static func * (scalar: EdwardsScalar, point: EdwardsPoint) -> EdwardsPoint {
    var status: Int32 = -1
    let product = Bytes32 { target in
      scalar.bytes.withUnsafeBytes { scalar in
        point.bytes.withUnsafeBytes { status = crypto_scalarmult_ed25519_noclamp(target.octets, scalar.octets, $0.octets) }
      }
    }
    // libsodium refuses a product that is the neutral element.
    return status == 0 ? EdwardsPoint(unchecked: product) : .identity
  }

  static func + (left: EdwardsPoint, right: EdwardsPoint) -> EdwardsPoint {
    var status: Int32 = -1
    let sum = Bytes32 { target in
      left.bytes.withUnsafeBytes { left in
        right.bytes.withUnsafeBytes { status = crypto_core_ed25519_add(target.octets, left.octets, $0.octets) }
      }
    }
    precondition(status == 0)  // our own bug: points were checked when they were read
    return EdwardsPoint(unchecked: sum)
  }

  static func sum(_ points: [EdwardsPoint]) -> EdwardsPoint { points.reduce(.identity, +) }
}
