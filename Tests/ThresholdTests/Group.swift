import Curve
import Encodings
import SecretMemory
import TestSupport

@testable import Threshold

/// A group of a dealt key.
struct Group {
  let key: KeyPair
  let dealing: TrustedDealer.Dealing

  init(threshold: Int, members: Int) throws { try self.init(KeyPair.random(), threshold: threshold, members: members) }

  init(_ key: KeyPair, threshold: Int, members: Int) throws {
    self.key = key
    dealing = try TrustedDealer.split(try key.secretKey(), threshold: threshold, members: members)
  }

  init(_ key: KeyPair, shares: [KeyShare], commitment: SharingCommitment) {
    (self.key, dealing) = (key, .init(shares: shares, commitment: commitment))
  }

  func signers(_ identifiers: [UInt32]) throws -> SignerSet {
    try SignerSet(
      members: dealing.shares.count, threshold: dealing.commitment.threshold, identifiers: identifiers,
      publicShares: identifiers.map { dealing.shares[Int($0)].publicShare }, publicKey: dealing.commitment.publicKey)
  }

  /// Everything up to the parts of a signature.
  struct Round {
    let session: SigningSession
    let nonces: [PublicNonce]
    var partials: [Bytes32]
  }

  func round(_ identifiers: [UInt32], _ message: [UInt8], tweaks: [Tweak] = []) throws -> Round {
    let kept = try identifiers.map { SecretBox(try dealing.shares[Int($0)].nonce(message: message).bytes()) }
    let shown = try kept.map { try SecretNonce(try $0.duplicate()).publicNonce }
    let session = try SigningSession(
      try signers(identifiers), nonce: try AggregateNonce(of: shown.map(\.bytes)), tweaks: tweaks, message: message)
    let partials = try zip(identifiers, kept).map { identifier, nonce in
      try session.sign(try SecretNonce(try nonce.duplicate()), share: dealing.shares[Int(identifier)])
    }
    return Round(session: session, nonces: shown, partials: partials)
  }
}

/// All choices of so many numbers below `count`.
func choices(_ chosen: Int, of count: Int) -> [[UInt32]] {
  (0..<(1 << count)).filter { $0.nonzeroBitCount == chosen }.map { mask in (0..<UInt32(count)).filter { mask >> $0 & 1 == 1 } }
}
