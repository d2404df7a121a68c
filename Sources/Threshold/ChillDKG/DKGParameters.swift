import Ciphers
import Curve
public import Encodings

/// Who generates a key together, and how many of them will sign: the same for all, in the same order (ChillDKG, "SessionParams").
public struct DKGParameters: Sendable, Equatable {
  /// The longest-lived public key of each member, 33 bytes. They must be authentic; comparing `hash` is enough for that.
  public let hostKeys: [[UInt8]]
  /// How many members sign at least.
  public let threshold: Int
  let points: [GroupElement]

  /// - Throws: `.thresholdOrCountOutOfRange`, `.hostKeyInvalid`, `.hostKeyRepeated`.
  public init(hostKeys: [[UInt8]], threshold: Int) throws(DKGError) {
    guard 1 <= threshold, threshold <= hostKeys.count, hostKeys.count <= TrustedDealer.mostMembers else {
      throw .thresholdOrCountOutOfRange
    }
    var points: [GroupElement] = []
    for (place, key) in hostKeys.enumerated() {
      guard let point = GroupElement(key) else { throw .hostKeyInvalid(place: place) }
      points.append(point)
    }
    var places: [[UInt8]: Int] = [:]
    for (place, key) in hostKeys.enumerated() {
      if let first = places.updateValue(place, forKey: key) { throw .hostKeyRepeated(first: first, second: place) }
    }
    (self.hostKeys, self.threshold, self.points) = (hostKeys, threshold, points)
  }

  /// What members compare to know that they have the same parameters, and therefore each other's keys: 32 bytes.
  public var hash: Bytes32 { encoded.withUnsafeBytes { SHA256.tagged("BIP DKG/params_hash", $0) } }

  var count: Int { hostKeys.count }

  /// The threshold, 4 bytes, and the keys.
  var encoded: [UInt8] { bigEndian(UInt32(threshold)) + hostKeys.joined() }

  /// What the encryption for a member is bound to.
  func context(for place: Int) -> [UInt8] { bigEndian(UInt32(place)) + encoded }
}
