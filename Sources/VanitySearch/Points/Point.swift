import Curve
import Encodings

/// A point of secp256k1 other than infinity.
struct Point {
  var x: FieldElement
  var y: FieldElement

  /// The public point of a secret key.
  init(of key: borrowing SecretKey) throws(CurveError) {
    let (x, y) = try key.compressedPublicKey().coordinates()
    (self.x, self.y) = (FieldElement(x), FieldElement(y))
  }
}

/// What the curve's endomorphism does: for a point (x, y) of the secret key d, (βx, y) is the point of λd, and (β²x, y) of λ²d.
///
/// β is a cube root of one modulo p, and λ one modulo the group's order (Gallant, Lambert, Vanstone, 2001). So one addition of
/// points gives three keys to compare, for one more multiplication.
enum Endomorphism {
  static let beta = FieldElement(
    a: 0xc139_6c28_7195_01ee, b: 0x9cf0_4975_12f5_8995, c: 0x6e64_479e_ac34_34e9, d: 0x7ae9_6a2b_657c_0710)
  static let lambda =
    Bytes32([
      0x53, 0x63, 0xad, 0x4c, 0xc0, 0x5c, 0x30, 0xe0, 0xa5, 0x26, 0x1c, 0x02, 0x88, 0x12, 0x64, 0x5a,
      0x12, 0x2e, 0x22, 0xea, 0x20, 0x81, 0x66, 0x78, 0xdf, 0x02, 0x96, 0x7c, 0x1b, 0x23, 0xbd, 0x72,
    ]) ?? Bytes32()  // 32 they are
}
