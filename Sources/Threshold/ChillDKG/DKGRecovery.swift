public import Curve
import Encodings

/// The recovery data of a key generation: 4 + 33t + 162n bytes. With the host key it gives the share back; for another member, it proves that
/// the generation came to its end.
public struct DKGRecovery: Sendable {
  /// Who generated the key.
  public let parameters: DKGParameters
  private let bytes: [UInt8]
  private let tweaked: TweakedCommitment
  private let nonces: [[UInt8]]
  private let shares: [PublicScalar]

  /// Checks that all members signed it.
  /// - Throws: `.recoveryDataMalformed`, `.recoveryDataParametersInvalid`, `.recoveryDataCertificateInvalid`.
  public init(_ bytes: [UInt8]) throws(DKGError) {
    guard bytes.count >= 4 else { throw .recoveryDataMalformed }
    var reader = MessageReader(bytes)
    let threshold = reader.bytes(4).reduce(0) { $0 << 8 | Int($1) }
    let (count, rest) = (bytes.count - 4 - 33 * threshold).quotientAndRemainder(dividingBy: 162)
    guard count >= 0, rest == 0, let points = reader.points(threshold) else { throw .recoveryDataMalformed }
    let hostKeys = reader.pieces(count, of: 33)
    nonces = reader.pieces(count, of: 33)
    guard let shares = reader.numbers(count) else { throw .recoveryDataMalformed }
    guard let parameters = try? DKGParameters(hostKeys: hostKeys, threshold: threshold) else {
      throw .recoveryDataParametersInvalid
    }
    let signatures = reader.pieces(count, of: 64)
    guard DKGCertificate.firstWrong(signatures, Array(bytes.dropLast(64 * count)), parameters) == nil else {
      throw .recoveryDataCertificateInvalid
    }
    (self.bytes, self.shares, self.parameters) = (bytes, shares, parameters)
    tweaked = TweakedCommitment(SharingCommitment(points: points))
  }

  /// The result without a share.
  public var result: DKGResult { tweaked.result(nil, members: parameters.count, recoveryData: bytes) }

  /// The result of the member with this host key.
  /// - Throws: `.hostKeyMissing`, `.outOfMemory`.
  public func result(hostKey: borrowing SecretKey) throws(DKGError) -> DKGResult {
    guard let own = try? hostKey.groupElement() else { throw .outOfMemory }
    guard let place = parameters.points.firstIndex(of: own) else { throw .hostKeyMissing }
    let pads = try DKGPads.received(by: place, hostKey, nonces, parameters)
    // The member signed that it has the right share.
    guard let share = try tweaked.share(try DKGPads.opened(shares[place], pads), of: place) else {
      throw .recoveryDataCertificateInvalid
    }
    return tweaked.result(share, members: parameters.count, recoveryData: bytes)
  }
}
