import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Threshold

@Suite("Keys that nobody ever has whole") struct GenerationTests {
  private static let message = [UInt8](repeating: 9, count: 32)

  /// The members of a key generation that has come to its coordinator's first message.
  private struct Ceremony {
    let keys: [KeyPair]
    let parameters: DKGParameters
    let members: [DKGMember]

    init(threshold: Int, members count: Int) throws {
      let keys = try (0..<count).map { _ in try KeyPair.random() }
      self.keys = keys
      let parameters = try DKGParameters(
        hostKeys: keys.map { try $0.secretKey().compressedPublicKey().bytes }, threshold: threshold)
      members = try keys.map { try DKGMember(hostKey: try $0.secretKey(), parameters: parameters) }
      self.parameters = parameters
    }

    func answer(_ place: Int, _ message: [UInt8]) throws -> DKGAnswer {
      try members[place].answer(message, hostKey: try keys[place].secretKey())
    }

    func run() throws -> [DKGResult] {
      let coordinator = try DKGCoordinator(members.map(\.message), parameters: parameters)
      let answers = try members.indices.map { try answer($0, coordinator.message) }
      let (message, result) = try coordinator.finish(answers.map(\.message))
      return try answers.map { try $0.finish(message) } + [result]
    }
  }

  @Test("Members generate a key, and any of them sign with it", arguments: [(1, 1), (2, 2), (2, 3), (3, 5)])
  func generation(threshold: Int, members: Int) throws {
    let results = try Ceremony(threshold: threshold, members: members).run()
    #expect(Set(results.map(\.publicKey)).count == 1 && Set(results.map(\.recoveryData)).count == 1)
    #expect(results.last?.share == nil)
    for identifiers in choices(threshold, of: members) {
      let signers = try SignerSet(
        members: members, threshold: threshold, identifiers: identifiers,
        publicShares: identifiers.map { results[0].publicShares[Int($0)] }, publicKey: results[0].publicKey)
      let shares = try identifiers.map { try #require(results[Int($0)].share) }
      let nonces = try shares.map { SecretBox(try $0.nonce().bytes()) }
      let shown = try nonces.map { try SecretNonce(try $0.duplicate()).publicNonce.bytes }
      let session = try SigningSession(signers, nonce: try AggregateNonce(of: shown), message: Self.message)
      let partials = try zip(shares, nonces).map { try session.sign(try SecretNonce(try $1.duplicate()), share: $0) }
      let signature = try session.aggregate(partials)
      #expect(Schnorr.isValid(signature, of: Bytes32(Self.message)!, by: session.publicKey))
      #expect(session.publicKey.bytes.array == Array(results[0].publicKey[1...]))
    }
  }

  @Test("A member that lost everything but its host key gets its share back") func recovery() throws {
    let ceremony = try Ceremony(threshold: 2, members: 3)
    let results = try ceremony.run()
    for place in 0..<3 {
      let again = try DKGRecovery(results[2].recoveryData).result(hostKey: try ceremony.keys[place].secretKey())
      let (old, new) = (try #require(results[place].share), try #require(again.share))
      #expect(old.withBytes { Hex.encode($0) } == new.withBytes { Hex.encode($0) } && new.identifier == UInt32(place))
    }
    let stranger = try KeyPair.random()
    #expect(
      dkgError { _ = try DKGRecovery(results[0].recoveryData).result(hostKey: try stranger.secretKey()) } == .hostKeyMissing)
  }

  @Test("A member that sends a wrong share is found by the one that got it") func liar() throws {
    let ceremony = try Ceremony(threshold: 2, members: 3)
    var messages = ceremony.members.map(\.message)
    // The encrypted shares are the last 96 bytes: the second member's one for the first member.
    messages[1][messages[1].count - 96 + 31] ^= 1
    let coordinator = try DKGCoordinator(messages, parameters: ceremony.parameters)
    let found = dkgError { _ = try ceremony.answer(0, coordinator.message) }
    guard case .unknownFault(let investigation) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    let shown = try DKGCoordinator.investigation(messages, parameters: ceremony.parameters)
    #expect(investigation.culprit(shown[0]) == .faultyMemberOrCoordinator(place: 1))
    #expect(investigation.culprit([]) == .wrongLength)
    _ = try ceremony.answer(2, coordinator.message)  // the others see nothing wrong
  }

  @Test("Each changed byte of the coordinator's message is noticed, and nothing is signed") func tampering() throws {
    let ceremony = try Ceremony(threshold: 2, members: 3)
    let coordinator = try DKGCoordinator(ceremony.members.map(\.message), parameters: ceremony.parameters)
    let right = try ceremony.members.indices.map { try ceremony.answer($0, coordinator.message) }
    // A member does not look at what is said to be its own proof: bytes 132 to 195.
    for place in coordinator.message.indices where !(132..<196).contains(place) {
      var changed = coordinator.message
      changed[place] ^= 1
      // Members that are told different things sign different things, and the certificate is not valid.
      guard let answer = try? ceremony.answer(0, changed) else { continue }
      let certificate = ([answer] + right.dropFirst()).flatMap(\.message)
      #expect(dkgError { _ = try answer.finish(certificate) } == .faultyCoordinator, "byte \(place)")
      #expect(dkgError { _ = try right[1].finish(certificate) } == .faultyCoordinator, "byte \(place)")
    }
  }

  @Test("Each changed or missing byte of recovery data is noticed") func recoveryData() throws {
    let data = try Ceremony(threshold: 2, members: 3).run()[0].recoveryData
    for place in data.indices {
      var changed = data
      changed[place] ^= 1
      #expect(dkgError { _ = try DKGRecovery(changed) } != nil, "byte \(place)")
    }
    for count in data.indices { #expect(dkgError { _ = try DKGRecovery(Array(data[..<count])) } != nil, "\(count) bytes") }
    #expect(dkgError { _ = try DKGRecovery([255, 255, 255, 255] + data.dropFirst(4)) } == .recoveryDataMalformed)
  }
}
