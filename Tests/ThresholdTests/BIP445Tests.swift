import Curve
import Encodings
import Foundation
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import Threshold

/// siv2r/bip-frost-signing's vectors: values, reasons, and who is blamed.
@Suite("BIP-445's published vectors", .vectors("BIP-445")) struct BIP445Tests {
  private static func file(_ path: String) throws -> [String: Any] {
    try Vectors.object(path)
  }

  private static func groups(_ path: String) throws -> [BIP445Group] {
    try #require(try file(path)["test_groups"] as? [[String: Any]]).map(BIP445Group.init)
  }

  @Test("Nonces are generated") func nonces() throws {
    let cases = try #require(try Self.file("bip-frost-signing/nonce_gen_vectors.json")["valid_tests"] as? [[String: Any]])
    #expect(cases.count == 5)
    for one in cases.map(BIP445Case.init) {
      var context = SecretNonce.Context(message: one.bytes("msg"), extra: one.bytes("extra_in") ?? [])
      context.publicShare = one.bytes("pubshare") ?? []
      context.publicKey = one.bytes("thresh_pk").flatMap { Bytes32($0) }.map { PublicKey($0) }
      let randomness = try one.digest("rand_")
      let expected = try #require(one.object["expected"] as? [String])
      let (secret, shown) = try Self.nonce(one.bytes("secshare"), context, randomness)
      #expect(secret == bytes(expected[0]) && shown == bytes(expected[1]), "\(one.comment)")
    }
  }

  private static func nonce(
    _ share: [UInt8]?, _ context: SecretNonce.Context, _ randomness: Bytes32
  ) throws -> (secret: [UInt8], shown: [UInt8]) {
    let nonce: SecretNonce
    if let share {
      nonce = try SecretNonce.fresh(for: try SecretKey(try secret(share)), context, randomness: randomness)
    } else {
      nonce = try SecretNonce.fresh(context, randomness: randomness)
    }
    return (try nonce.bytes().withBytes { [UInt8]($0) }, nonce.publicNonce.bytes)
  }

  @Test("Nonces are summed") func nonceSums() throws {
    let file = try Self.file("bip-frost-signing/nonce_agg_vectors.json")
    let nonces = try #require(file["pubnonces"] as? [String]).map { bytes($0) }
    for one in try #require(file["valid_tests"] as? [[String: Any]]).map(BIP445Case.init) {
      let sum = try AggregateNonce(of: try one.picked("pubnonce_indices", from: nonces))
      #expect(sum.bytes == one.bytes("expected"), "\(one.comment)")
      #expect(try AggregateNonce(sum.bytes).bytes == sum.bytes)
    }
    for one in try #require(file["error_tests"] as? [[String: Any]]).map(BIP445Case.init) {
      let found = error { _ = try AggregateNonce(of: try one.picked("pubnonce_indices", from: nonces)) }
      #expect(found == one.error, "\(one.comment)")
    }
  }

  @Test("Members sign, and their parts are checked") func signing() throws {
    var count = 0
    for group in try Self.groups("bip-frost-signing/sign_verify_vectors.json") {
      for one in try group.cases("valid_tests") {
        let partial = try group.signed(one)
        #expect(partial.array == one.bytes("expected"), "\(one.comment)")
        let place = try #require(try group.identifiers(one).firstIndex(of: UInt32(try one.number("my_id"))))
        #expect(try group.isValid(partial, one, place: place), "\(one.comment)")
        count += 1
      }
      for one in try group.cases("sign_error_tests") {
        #expect(error { _ = try group.signed(one) } == one.error, "\(group.name): \(one.comment)")
        count += 1
      }
      for one in try group.cases("verify_fail_tests") {
        let partial = try one.digest("psig")
        #expect(try !group.isValid(partial, one, place: try one.number("signer_index")), "\(one.comment)")
        count += 1
      }
      for one in try group.cases("verify_error_tests") {
        let partial = try one.digest("psig")
        let found = error { _ = try group.isValid(partial, one, place: try one.number("signer_index")) }
        #expect(found == one.error, "\(one.comment)")
        count += 1
      }
    }
    #expect(count == 76)
  }

  @Test("Keys are tweaked") func tweaks() throws {
    var count = 0
    for group in try Self.groups("bip-frost-signing/tweak_vectors.json") {
      for one in try group.cases("valid_tests") {
        #expect(try group.signed(one).array == one.bytes("expected"), "\(one.comment)")
        count += 1
      }
      for one in try group.cases("error_tests") {
        #expect(error { _ = try group.signed(one) } == one.error, "\(group.name): \(one.comment)")
        count += 1
      }
    }
    #expect(count == 35)
  }

  @Test("The last signer needs no randomness") func deterministic() throws {
    var count = 0
    for group in try Self.groups("bip-frost-signing/det_sign_vectors.json") {
      for one in try group.cases("valid_tests") {
        let expected = try #require(one.object["expected"] as? [String])
        let made = try group.signedDeterministically(one)
        #expect(made.nonce.bytes == bytes(expected[0]) && made.partial.array == bytes(expected[1]), "\(one.comment)")
        count += 1
      }
      for one in try group.cases("error_tests") {
        #expect(error { _ = try group.signedDeterministically(one) } == one.error, "\(group.name): \(one.comment)")
        count += 1
      }
    }
    #expect(count == 64)
  }

  @Test("Parts become a signature that verifies") func aggregation() throws {
    var count = 0
    for group in try Self.groups("bip-frost-signing/sig_agg_vectors.json") {
      for one in try group.cases("valid_tests") {
        let session = try group.session(one)
        let signature = try session.aggregate(try one.partials)
        #expect(signature.array == one.bytes("expected"), "\(one.comment)")
        let message = try #require(one.bytes("msg"))
        #expect(message.withUnsafeBytes { Schnorr.isValid(signature, ofMessage: $0, by: session.publicKey) })
        count += 1
      }
      for one in try group.cases("error_tests") {
        #expect(error { _ = try group.session(one).aggregate(try one.partials) } == one.error, "\(one.comment)")
        count += 1
      }
    }
    #expect(count == 19)
  }
}

/// The threshold error of a call; nil when it succeeds or fails otherwise.
func error(_ body: () throws -> Void) -> ThresholdError? {
  do { try body() } catch let error as ThresholdError { return error } catch {}
  return nil
}
