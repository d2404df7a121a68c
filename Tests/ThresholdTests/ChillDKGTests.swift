import Curve
import Encodings
import Foundation
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import Threshold

/// bip-frost-dkg's vectors: messages, results, reasons, and who is blamed.
@Suite("ChillDKG's published vectors", .vectors("ChillDKG")) struct ChillDKGTests {
  /// Every case of a file, with the names of its group.
  private static func cases(_ path: String, _ list: String, count: Int) throws -> [ChillDKGCase] {
    let file = try Vectors.object(path)
    let groups = file["testGroups"] as? [[String: Any]] ?? [file]
    let cases = groups.flatMap { group in
      (group[list] as? [[String: Any]] ?? []).map { one in
        ChillDKGCase(
          group.merging(one) { _, own in own }.merging(["groupHostseckey": group["hostseckey"] ?? ""]) { _, new in new })
      }
    }
    #expect(cases.count == count, "\(path) \(list)")
    return cases
  }

  @Test("Parameters have one hash, and wrong ones are refused") func parameters() throws {
    for one in try Self.cases("chilldkg/params_hash_vectors.json", "validTestCases", count: 3) {
      #expect(try one.parameters.hash.array == one.bytes("expectedParamsHash"), "\(one.comment)")
    }
    for one in try Self.cases("chilldkg/params_hash_vectors.json", "errorTestCases", count: 3) {
      #expect(dkgError { _ = try one.parameters } == one.error, "\(one.comment)")
    }
  }

  @Test("A host key has its public key, and a wrong one is refused") func hostKeys() throws {
    for one in try Self.cases("chilldkg/hostpubkey_gen_vectors.json", "validTestCases", count: 1) {
      #expect(try one.hostKey().compressedPublicKey().bytes == one.bytes("expectedHostpubkey"))
    }
    for one in try Self.cases("chilldkg/hostpubkey_gen_vectors.json", "errorTestCases", count: 3) {
      #expect(throws: CurveError.self, "\(one.comment)") { _ = try one.hostKey().compressedPublicKey() }
    }
  }

  @Test("A member makes its first message, and refuses wrong parameters") func first() throws {
    for one in try Self.cases("chilldkg/participant_step1_vectors.json", "validTestCases", count: 4) {
      #expect(try one.member.message == one.bytes("expectedPmsg1"), "\(one.comment)")
    }
    for one in try Self.cases("chilldkg/participant_step1_vectors.json", "errorTestCases", count: 38) {
      one.expectsError { _ = try one.member }
    }
  }

  @Test("A member checks the coordinator's message and signs, or says who lied") func second() throws {
    for one in try Self.cases("chilldkg/participant_step2_vectors.json", "validTestCases", count: 4) {
      #expect(try one.answer("cmsg1").message == one.bytes("expectedPmsg2"), "\(one.comment)")
    }
    for one in try Self.cases("chilldkg/participant_step2_vectors.json", "errorTestCases", count: 56) {
      one.expectsError { _ = try one.answer("cmsg1") }
    }
  }

  @Test("A member ends with its share once all have signed") func end() throws {
    for one in try Self.cases("chilldkg/participant_finalize_vectors.json", "validTestCases", count: 4) {
      let result = try one.answer("cmsg1").finish(try #require(one.bytes("cmsg2")))
      try one.compare(result)
    }
    for one in try Self.cases("chilldkg/participant_finalize_vectors.json", "errorTestCases", count: 10) {
      let answer = try one.answer("cmsg1")
      one.expectsError { _ = try answer.finish(try #require(one.bytes("cmsg2"))) }
    }
  }

  @Test("A member finds out who lied to it") func investigation() throws {
    for one in try Self.cases("chilldkg/participant_investigate_vectors.json", "errorTestCases", count: 13) {
      let pool = try #require(one.object["cmsg1Pool"] as? [String])
      let received = bytes(pool[try #require(one.object["cmsg1Index"] as? Int)])
      let found = dkgError {
        _ = try one.member.answer(received, hostKey: try one.hostKey(), auxiliary: try one.digest("auxRand"))
      }
      guard case .unknownFault(let investigation) = found else {
        Issue.record("\(one.comment)")
        continue
      }
      #expect(investigation.culprit(try #require(one.bytes("cinvMsg"))) == one.error, "\(one.comment)")
    }
  }

  @Test("The coordinator sums the members' first messages, and names who sent a wrong one") func coordinator() throws {
    for one in try Self.cases("chilldkg/coordinator_step1_vectors.json", "validTestCases", count: 4) {
      #expect(try one.coordinator.message == one.bytes("expectedCmsg1"), "\(one.comment)")
    }
    for one in try Self.cases("chilldkg/coordinator_step1_vectors.json", "errorTestCases", count: 32) {
      one.expectsError { _ = try one.coordinator }
    }
    for one in try Self.cases("chilldkg/coordinator_investigate_vectors.json", "validTestCases", count: 4) {
      let expected = try #require(one.object["expectedCinvMsgs"] as? [String]).map { bytes($0) }
      #expect(try DKGCoordinator.investigation(try one.messages, parameters: try one.parameters) == expected)
    }
  }

  @Test("The coordinator ends with the group's key once all have signed") func coordinatorEnd() throws {
    for one in try Self.cases("chilldkg/coordinator_finalize_vectors.json", "validTestCases", count: 4) {
      let (message, result) = try one.coordinator.finish(try one.picked("pmsg2Indices", from: "pmsg2Pool"))
      #expect(message == (one.object["expectedOutput"] as? [String: Any])?["cmsg2"].flatMap { $0 as? String }.map { bytes($0) })
      try one.compare(result)
    }
    for one in try Self.cases("chilldkg/coordinator_finalize_vectors.json", "errorTestCases", count: 13) {
      let coordinator = try one.coordinator
      one.expectsError { _ = try coordinator.finish(try one.picked("pmsg2Indices", from: "pmsg2Pool")) }
    }
  }

  @Test("Recovery data give everything back") func recovery() throws {
    for one in try Self.cases("chilldkg/recover_vectors.json", "validTestCases", count: 2) {
      let recovery = try DKGRecovery(try #require(one.bytes("recoveryData")))
      try one.compare(one.bytes("hostseckey") == nil ? recovery.result : try recovery.result(hostKey: try one.hostKey()))
      let expected = try #require(one.object["expectedOutput"] as? [String: Any])
      #expect(recovery.parameters == (try ChillDKGCase(expected).parameters))
    }
    for one in try Self.cases("chilldkg/recover_vectors.json", "errorTestCases", count: 9) {
      one.expectsError {
        let recovery = try DKGRecovery(try #require(one.bytes("recoveryData")))
        if one.bytes("hostseckey") != nil { _ = try recovery.result(hostKey: try one.hostKey()) }
      }
    }
  }
}
