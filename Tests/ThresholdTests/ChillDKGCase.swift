import Curve
import Encodings
import SecretMemory
import TestSupport
import Testing

@testable import Threshold

/// One case of a file of vectors.
struct ChillDKGCase: VectorCase {
  let object: [String: Any]

  init(_ object: [String: Any]) { self.object = object }

  /// - Throws: `.wrongLength`, which our type leaves no room for.
  func digest(_ name: String) throws -> Bytes32 {
    let digest = try #require(bytes(name))
    guard let digest = Bytes32(digest) else { throw DKGError.wrongLength }
    return digest
  }

  func picked(_ indices: String, from pool: String) throws -> [[UInt8]] {
    let pool = try #require(object[pool] as? [String])
    return try #require(object[indices] as? [Int]).map { TestSupport.bytes(pool[$0]) }
  }

  var parameters: DKGParameters {
    get throws {
      let parameters = try #require(object["params"] as? [String: Any])
      return try DKGParameters(
        hostKeys: try #require(parameters["hostpubkeys"] as? [String]).map { TestSupport.bytes($0) },
        threshold: try #require(parameters["t"] as? Int))
    }
  }

  func hostKey() throws -> SecretKey {
    let key = try #require(bytes("hostseckey"))
    return try SecretKey(try secret(key))
  }

  /// With its first message compared, where the case has it.
  var member: DKGMember {
    get throws {
      let member = try DKGMember(hostKey: try firstHostKey(), parameters: try parameters, randomness: try digest("random"))
      if let expected = bytes("pmsg1") { #expect(member.message == expected) }
      return member
    }
  }

  /// The cases of the second step may have another key than the one with which the member began.
  private func firstHostKey() throws -> SecretKey {
    guard object["pmsg1"] != nil else { return try hostKey() }
    let key = TestSupport.bytes(try #require(object["groupHostseckey"] as? String))
    return try SecretKey(try secret(key))
  }

  func answer(_ name: String) throws -> DKGAnswer {
    let answer = try member.answer(try #require(bytes(name)), hostKey: try hostKey(), auxiliary: try digest("auxRand"))
    if let expected = bytes("pmsg2") { #expect(answer.message == expected) }
    return answer
  }

  var messages: [[UInt8]] {
    get throws {
      guard let messages = object["pmsgs1"] as? [String] else { return try picked("pmsg1Indices", from: "pmsg1Pool") }
      return messages.map { TestSupport.bytes($0) }
    }
  }

  var coordinator: DKGCoordinator {
    get throws {
      let coordinator = try DKGCoordinator(try messages, parameters: try parameters)
      if let expected = bytes("cmsg1") { #expect(coordinator.message == expected) }
      return coordinator
    }
  }

  func compare(_ result: DKGResult) throws {
    let expected = try #require(object["expectedOutput"] as? [String: Any])
    let output = try #require(expected["dkgOutput"] as? [String: Any])
    let share = result.share.map { $0.withBytes { Hex.encode($0).uppercased() } }
    #expect(share == output["secshare"] as? String, "\(comment)")
    #expect(Hex.encode(result.publicKey).uppercased() == output["threshPk"] as? String)
    #expect(result.publicShares.map { Hex.encode($0).uppercased() } == output["pubshares"] as? [String])
    if let data = expected["recoveryData"] as? String { #expect(result.recoveryData == TestSupport.bytes(data)) }
  }

  /// Our error for the one that the vector expects; nil where our types make that error impossible.
  var error: DKGError? {
    guard let error = object["expectedError"] as? [String: Any], let type = error["type"] as? String else { return nil }
    let place = error["participantId"] as? Int ?? -1
    return switch type {
    case "ThresholdOrCountError": .thresholdOrCountOutOfRange
    case "InvalidHostPubkeyError": .hostKeyInvalid(place: place)
    case "DuplicateHostPubkeyError":
      .hostKeyRepeated(first: error["participantId1"] as? Int ?? -1, second: error["participantId2"] as? Int ?? -1)
    case "RandomnessError": .randomnessZero
    case "ValueError": .wrongLength
    case "FaultyParticipantError": .faultyMember(place: place)
    case "FaultyParticipantOrCoordinatorError": .faultyMemberOrCoordinator(place: place)
    case "FaultyCoordinatorError": .faultyCoordinator
    case "HostSeckeyError": Self.keyErrors[error["message"] as? String ?? ""]
    case "RecoveryDataError": Self.recoveryErrors[error["message"] as? String ?? ""]
    default: nil
    }
  }

  private static let keyErrors: [String: DKGError] = [
    "Host secret key does not match any host public key": .hostKeyMissing,
    "Host secret key does not match any host public key in the recovery data": .hostKeyMissing,
    "Host secret key does not match the one used in participant_step1": .hostKeyChanged,
  ]

  private static let recoveryErrors: [String: DKGError] = [
    "Failed to deserialize recovery data": .recoveryDataMalformed,
    "Invalid session parameters in recovery data": .recoveryDataParametersInvalid,
    "Invalid certificate in recovery data": .recoveryDataCertificateInvalid,
  ]

  /// Checks that a call fails as the case says. Secret keys of a wrong length or out of range are refused by their type.
  func expectsError(_ body: () throws -> Void) {
    let type = (object["expectedError"] as? [String: Any])?["type"] as? String
    do {
      try body()
      Issue.record("no error: \(comment)")
    } catch let error as DKGError {
      if case .unknownFault = error {
        #expect(type == "UnknownFaultyParticipantOrCoordinatorError", "\(comment)")
      } else {
        #expect(error == self.error, "\(comment)")
      }
    } catch {
      #expect(error is CurveError && ["ValueError", "HostSeckeyError"].contains(type), "\(comment): \(error)")
    }
  }
}

/// The error of a step of a key generation; nil when it succeeds or fails otherwise.
func dkgError(_ body: () throws -> Void) -> DKGError? {
  do { try body() } catch let error as DKGError { return error } catch {}
  return nil
}
