import Curve
import Encodings
import TestSupport
import Testing

@testable import Threshold

/// One case of a file of vectors.
struct BIP445Case: VectorCase {
  let object: [String: Any]

  init(_ object: [String: Any]) { self.object = object }

  func digest(_ name: String) throws -> Bytes32 {
    let digest = try #require(bytes(name))
    return try #require(Bytes32(digest))
  }

  func number(_ name: String) throws -> Int { try #require(object[name] as? Int) }

  func picked<Element>(_ name: String, from list: [Element]) throws -> [Element] {
    try #require(object[name] as? [Int]).map { list[$0] }
  }

  var partials: [Bytes32] {
    get throws { try #require(object["psigs"] as? [String]).map { try #require(Bytes32(hex: $0)) } }
  }

  /// Our error for the one that the vector expects; nil for a vector that expects none.
  var error: ThresholdError? {
    guard let error = object["error"] as? [String: Any] else { return nil }
    if let sent = error["contrib"] as? String, let contribution = Self.contributions[sent] {
      return .wrongContribution(contribution, place: error["signer_index"] as? Int)
    }
    return Self.reasons[error["message"] as? String ?? ""]
  }

  private static let contributions: [String: ThresholdError.Contribution] = [
    "pubnonce": .publicNonce, "aggnonce": .aggregateNonce, "aggothernonce": .othersNonce, "psig": .partialSignature,
  ]

  private static let reasons: [String: ThresholdError] = [
    "Invalid pubshare at index 0.": .publicShareInvalid(place: 0),
    "Invalid pubshare at index 1.": .publicShareInvalid(place: 1),
    "The number of signers must be between t and n.": .signerCount,
    "The participant identifier at index 0 is out of range.": .identifierOutOfRange(place: 0),
    "The participant identifier list contains duplicate elements.": .identifierRepeated,
    "The provided key material is incorrect.": .keyMaterialInconsistent,
    "The signer's id must be present in the participant identifier list.": .identifierMissing,
    "The signer's pubshare must be included in the list of pubshares.": .publicShareMissing,
    "The signer's secret share value is out of range.": .secretShareOutOfRange,
    "The tweak value is out of range.": .tweakOutOfRange,
    "The tweak must be a 32-byte array.": .tweakOutOfRange,
    "The tweaks and is_xonly arrays must have the same length.": .unequalCounts,
    "The result of tweaking cannot be infinity.": .tweakedToInfinity,
    "The psigs and ids arrays must have the same length.": .unequalCounts,
    "first secnonce value is out of range.": .secretNonceOutOfRange(half: 0),
    "second secnonce value is out of range.": .secretNonceOutOfRange(half: 1),
  ]
}

/// A group of members, with the cases that have it.
struct BIP445Group {
  private let object: [String: Any]

  init(_ object: [String: Any]) { self.object = object }

  var name: String { object["tg_id"] as? String ?? "" }

  func cases(_ name: String) throws -> [BIP445Case] { try #require(object[name] as? [[String: Any]]).map(BIP445Case.init) }

  private func list(_ name: String) throws -> [[UInt8]] { try #require(object[name] as? [String]).map { bytes($0) } }

  func identifiers(_ one: BIP445Case) throws -> [UInt32] { try #require(one.object["ids"] as? [Int]).map { UInt32($0) } }

  private func signers(_ one: BIP445Case) throws -> SignerSet {
    let (members, threshold) = (object["n"] as? Int ?? 0, object["t"] as? Int ?? 0)
    return try SignerSet(
      members: members, threshold: threshold, identifiers: try identifiers(one),
      publicShares: try one.picked("pubshare_indices", from: try list("pubshares")),
      publicKey: bytes(try #require(object["thresh_pk"] as? String)))
  }

  /// Two of our types leave no room for a wrong length: they are checked where they are made.
  private func tweaks(_ one: BIP445Case) throws -> [Tweak] {
    let all = one.object["tweaks"] as? [String] ?? []
    let indices = one.object["tweak_indices"] as? [Int]
    let tweaks = indices == nil ? all.map { bytes($0) } : try one.picked("tweak_indices", from: try list("tweaks"))
    let kinds = one.object["is_xonly"] as? [Bool] ?? []
    guard tweaks.count == kinds.count else { throw ThresholdError.unequalCounts }
    return try zip(tweaks, kinds).map { tweak, isXOnly in
      guard let tweak = Bytes32(tweak) else { throw ThresholdError.tweakOutOfRange }
      return Tweak(tweak, isXOnly: isXOnly)
    }
  }

  func session(_ one: BIP445Case) throws -> SigningSession {
    try session(one, nonce: try AggregateNonce(try #require(one.bytes("aggnonce"))))
  }

  private func session(_ one: BIP445Case, nonce: AggregateNonce) throws -> SigningSession {
    try SigningSession(try signers(one), nonce: nonce, tweaks: try tweaks(one), message: try #require(one.bytes("msg")))
  }

  private func share(_ one: BIP445Case) throws -> SecretKey {
    let share = try secret(try list("secshares")[try one.number("secshare_index")])
    do { return try SecretKey(share) } catch CurveError.secretKeyOutOfRange { throw ThresholdError.secretShareOutOfRange }
  }

  func signed(_ one: BIP445Case) throws -> Bytes32 {
    let session = try session(one)
    let nonce = try SecretNonce(try secret(try list("secnonces")[try one.number("secnonce_index")]))
    return try session.sign(nonce, share: try share(one), identifier: UInt32(try one.number("my_id")))
  }

  func signedDeterministically(_ one: BIP445Case) throws -> DeterministicSigner.Contribution {
    let randomness = try one.bytes("rand").map { try #require(Bytes32($0)) }
    return try DeterministicSigner.sign(
      try #require(one.bytes("msg")), share: try share(one), identifier: UInt32(try one.number("my_id")),
      signers: try signers(one), tweaks: try tweaks(one), othersNonce: one.bytes("aggothernonce"), randomness: randomness)
  }

  func isValid(_ partial: Bytes32, _ one: BIP445Case, place: Int) throws -> Bool {
    let nonces = try one.picked("pubnonce_indices", from: try list("pubnonces"))
    let session = try session(one, nonce: try AggregateNonce(of: nonces))
    return session.isValid(partial, place: place, nonce: try #require(PublicNonce(nonces[place])))
  }
}
