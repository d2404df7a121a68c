import Encodings
import TestSupport
import TestVectors
import Testing

@testable import Threshold

/// A published run of FROST(Ed25519, SHA-512).
struct EdDSAVector {
  struct Output {
    let randomness: (hiding: Bytes32, binding: Bytes32)
    let hiding, binding: [UInt8]
    let commitment: [UInt8]
  }

  let publicKey: Bytes32
  let message: [UInt8]
  /// The constant first.
  let coefficients: [[UInt8]]
  /// By identifier.
  let shares: [UInt32: [UInt8]]
  let parts: [UInt32: [UInt8]]
  let signature: [UInt8]
  private let first: [[String: Any]]

  init(_ path: String) throws {
    let file = try Vectors.object(path)
    let inputs = try #require(file["inputs"] as? [String: Any])
    func bytes(_ value: Any?) throws -> [UInt8] { TestSupport.bytes(try #require(value as? String)) }
    func outputs(_ name: String) throws -> [[String: Any]] {
      try #require((file[name] as? [String: Any])?["outputs"] as? [[String: Any]])
    }
    func byIdentifier(_ list: [[String: Any]], _ name: String) throws -> [UInt32: [UInt8]] {
      var found: [UInt32: [UInt8]] = [:]
      for one in list { found[UInt32(try #require(one["identifier"] as? Int))] = try bytes(one[name]) }
      return found
    }
    publicKey = try #require(Bytes32(try bytes(inputs["group_public_key"] ?? inputs["verifying_key_key"])))
    message = try bytes(inputs["message"])
    coefficients =
      [try bytes(inputs["group_secret_key"])]
      + (try #require(inputs["share_polynomial_coefficients"] as? [String]).map { TestSupport.bytes($0) })
    shares = try byIdentifier(try #require(inputs["participant_shares"] as? [[String: Any]]), "participant_share")
    first = try outputs("round_one_outputs")
    parts = try byIdentifier(try outputs("round_two_outputs"), "sig_share")
    signature = try bytes((file["final_output"] as? [String: Any])?["sig"])
  }

  /// The shares that sign, with what each does in the first round.
  func nonces() throws -> [(EdDSAShare, Output)] {
    try first.map { one in
      func bytes(_ name: String) throws -> [UInt8] { TestSupport.bytes(try #require(one[name] as? String)) }
      func half(_ name: String) throws -> Bytes32 {
        let half = try bytes(name)
        return try #require(Bytes32(half))
      }
      let identifier = UInt32(try #require(one["identifier"] as? Int))
      let share = try #require(shares[identifier])
      return (
        try EdDSAShare(try secret(share), identifier: identifier),
        Output(
          randomness: (try half("hiding_nonce_randomness"), try half("binding_nonce_randomness")),
          hiding: try bytes("hiding_nonce"), binding: try bytes("binding_nonce"),
          commitment: try bytes("hiding_nonce_commitment") + bytes("binding_nonce_commitment"))
      )
    }
  }
}
