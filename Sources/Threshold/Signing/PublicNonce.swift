import Curve

/// What a signer shows of its nonce: two points, 66 bytes.
public struct PublicNonce: Sendable, Equatable {
  let first: GroupElement
  let second: GroupElement

  init(_ first: GroupElement, _ second: GroupElement) { (self.first, self.second) = (first, second) }

  /// - Returns: nil unless there are 66 bytes, two points of 33.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 66, let first = GroupElement(Array(bytes[..<33])), let second = GroupElement(Array(bytes[33...])) else {
      return nil
    }
    (self.first, self.second) = (first, second)
  }

  /// 66 bytes.
  public var bytes: [UInt8] { first.bytes + second.bytes }
}

/// The sum of the signers' public nonces, 66 bytes (BIP-445, section "Nonce Aggregation"). The coordinator makes it; whoever signs relies on it
/// for nothing but that the signature comes about.
public struct AggregateNonce: Sendable {
  let first: GroupElement
  let second: GroupElement

  /// - Parameter nonces: 66 bytes of each signer.
  /// - Throws: `.wrongContribution` with the place of the signer whose nonce is not two points.
  public init(of nonces: [[UInt8]]) throws(ThresholdError) {
    var parsed: [PublicNonce] = []
    for (place, bytes) in nonces.enumerated() {
      guard let nonce = PublicNonce(bytes) else { throw .wrongContribution(.publicNonce, place: place) }
      parsed.append(nonce)
    }
    self.init(summing: parsed)
  }

  /// The sum of nonces that were read before.
  public init(summing nonces: [PublicNonce]) {
    (first, second) = (GroupElement.sum(nonces.map(\.first)), GroupElement.sum(nonces.map(\.second)))
  }

  /// - Parameter bytes: 66; each half is a point, or zeros for the point at infinity.
  /// - Throws: `.wrongContribution` by the coordinator.
  public init(_ bytes: [UInt8]) throws(ThresholdError) {
    guard bytes.count == 66, let first = GroupElement(orInfinity: Array(bytes[..<33])),
      let second = GroupElement(orInfinity: Array(bytes[33...]))
    else { throw .wrongContribution(.aggregateNonce, place: nil) }
    (self.first, self.second) = (first, second)
  }

  /// 66 bytes.
  public var bytes: [UInt8] { first.bytes + second.bytes }
}
