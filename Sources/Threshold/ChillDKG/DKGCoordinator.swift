/// The coordinator's side of a key generation: it passes on and adds what members send. It needs no secret, and may be one of the members.
public struct DKGCoordinator: Sendable {
  /// The first message to all members: 162n + 33(t - 1) bytes.
  public let message: [UInt8]
  private let parameters: DKGParameters
  private let transcript: [UInt8]
  private let tweaked: TweakedCommitment

  /// - Parameter messages: the members' first messages, in their order.
  /// - Throws: `.wrongLength`; `.faultyMember` for what is no point or number.
  public init(_ messages: [[UInt8]], parameters: DKGParameters) throws(DKGError) {
    let sum = DKGCoordinatorMessage(summing: try Self.parsed(messages, parameters), parameters)
    (message, self.parameters, transcript) = (sum.bytes, parameters, sum.transcript(parameters))
    tweaked = TweakedCommitment(sum.commitment)
  }

  private static func parsed(_ messages: [[UInt8]], _ parameters: DKGParameters) throws(DKGError) -> [DKGMemberMessage] {
    guard messages.count == parameters.count else { throw .wrongLength }
    var parsed: [DKGMemberMessage] = []
    for (place, bytes) in messages.enumerated() { parsed.append(try DKGMemberMessage(bytes, from: place, parameters)) }
    return parsed
  }

  /// Ends the key generation.
  /// - Parameter messages: the members' second messages, 64 bytes each, in their order.
  /// - Returns: the second message to all members, 64n bytes, and the result, without a share.
  /// - Throws: `.wrongLength`, `.faultyMember`. The members may have ended it among themselves nevertheless.
  public func finish(_ messages: [[UInt8]]) throws(DKGError) -> (message: [UInt8], result: DKGResult) {
    guard messages.count == parameters.count, messages.allSatisfy({ $0.count == 64 }) else { throw .wrongLength }
    if let place = DKGCertificate.firstWrong(messages, transcript, parameters) { throw .faultyMember(place: place) }
    let certificate = Array(messages.joined())
    return (certificate, tweaked.result(nil, members: parameters.count, recoveryData: transcript + certificate))
  }

  /// What each member needs to find out who lied to it, 65n bytes, in their order. It contains no secret.
  /// - Parameter messages: the members' first messages.
  /// - Throws: as `init`.
  public static func investigation(_ messages: [[UInt8]], parameters: DKGParameters) throws(DKGError) -> [[UInt8]] {
    let parsed = try parsed(messages, parameters)
    return parsed.indices.map { DKGInvestigationMessage(for: $0, parsed).bytes }
  }
}
