import Ciphers
import Curve
import Encodings
import SecretMemory

/// A polynomial with secret coefficients.
struct Polynomial: Sendable {
  private let coefficients: [Coefficient]

  private final class Coefficient: Sendable {
    let secret: SecretKey
    let point: GroupElement

    init(_ secret: consuming SecretKey) throws(CurveError) {
      point = try secret.groupElement()
      self.secret = secret
    }
  }

  /// A random one.
  /// - Parameter constant: its value at zero.
  init(_ constant: borrowing SecretKey, degree: Int) throws(ThresholdError) {
    do throws(CurveError) {
      var coefficients = [try Coefficient(try constant.duplicate())]
      for _ in 0..<degree { coefficients.append(try Coefficient(try SecretKey.random())) }
      self.coefficients = coefficients
    } catch { throw .outOfMemory }
  }

  /// One whose coefficients follow from a seed (ChillDKG, "VSS").
  /// - Parameter seed: 32 bytes.
  init(seed: borrowing SecretBytes, degree: Int) throws(DKGError) {
    var coefficients: [Coefficient] = []
    for place in 0...UInt32(degree) {
      let secret = try secretNumber("BIP DKG/vss coeffs") { hash in
        seed.withBytes { hash.update($0) }
        hash.update(bigEndian(place))
      }
      guard let coefficient = try? Coefficient(secret) else { throw .outOfMemory }
      coefficients.append(coefficient)
    }
    self.coefficients = coefficients
  }

  /// That whoever made the polynomial knows its value at zero.
  func proof(place: Int, auxiliary: Bytes32) throws(DKGError) -> [UInt8] {
    try PossessionProof.make(coefficients[0].secret, place: place, auxiliary: auxiliary)
  }

  var commitment: [GroupElement] { coefficients.map(\.point) }

  /// The share of a member, by Horner's rule. In constant time.
  /// - Throws: `.outOfMemory`; with a probability of 2^-128 `.secretShareOutOfRange`.
  func value(at identifier: UInt32) throws(ThresholdError) -> SecretKey {
    let place = PublicScalar(UInt64(identifier) + 1).bytes
    do throws(CurveError) {
      var value = try coefficients[coefficients.count - 1].secret.duplicate()
      for coefficient in coefficients.dropLast().reversed() {
        value = try value.multiplied(by: place).adding(coefficient.secret)
      }
      return value
    } catch { throw error == .outOfMemory ? .outOfMemory : .secretShareOutOfRange }
  }
}
