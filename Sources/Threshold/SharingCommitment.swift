import Curve

/// What a dealer says about the polynomial whose values are the shares (Feldman's verifiable secret sharing; RFC 9591, appendix C.2): a point for
/// each coefficient. Everybody may see it, and checks their share with it.
public struct SharingCommitment: Sendable, Equatable {
  let points: [GroupElement]

  init(points: [GroupElement]) { self.points = points }

  /// - Parameter bytes: 33 for each coefficient, the group's key first.
  /// - Returns: nil unless there is at least one point, and nothing else.
  public init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count.isMultiple(of: 33) else { return nil }
    var points: [GroupElement] = []
    for start in stride(from: 0, to: bytes.count, by: 33) {
      guard let point = GroupElement(Array(bytes[start..<(start + 33)])) else { return nil }
      points.append(point)
    }
    self.points = points
  }

  /// 33 for each coefficient, the group's key first.
  public var bytes: [UInt8] { points.flatMap(\.bytes) }

  /// How many members sign at least.
  public var threshold: Int { points.count }

  /// The group's key, 33 bytes.
  public var publicKey: [UInt8] { points[0].bytes }

  /// The public share of a member, 33 bytes; zeros when it has none, which no honest dealer brings about.
  public func publicShare(of identifier: UInt32) -> [UInt8] { share(of: identifier).bytes }

  func share(of identifier: UInt32) -> GroupElement {
    let place = PublicScalar(UInt64(identifier) + 1)
    return points.reversed().reduce(.infinity) { place * $0 + $1 }
  }
}
