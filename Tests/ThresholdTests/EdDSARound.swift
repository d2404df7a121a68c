import Curve
import Encodings

@testable import Threshold

/// A signature of some members, up to its parts.
struct EdDSARound {
  let session: EdDSASession
  var parts: [UInt32: Bytes32] = [:]

  init(_ dealing: EdDSADealer.Dealing, _ identifiers: [UInt32], _ message: [UInt8] = [1, 2, 3]) throws {
    let shares = identifiers.map { dealing.shares[Int($0) - 1] }
    // The same randomness for the commitment and the signature: a nonce cannot be copied.
    let randomness = shares.map { _ in (Bytes32.fresh(), Bytes32.fresh()) }
    let signers = try zip(shares, randomness).map { share, randomness in
      EdDSASession.Signer(
        identifier: share.identifier, publicShare: share.publicShare,
        commitment: try share.nonce(randomness: randomness).commitment)
    }
    session = try EdDSASession(signers, publicKey: dealing.publicKey, message: message)
    for (share, randomness) in zip(shares, randomness) {
      parts[share.identifier] = try session.sign(try share.nonce(randomness: randomness), share: share)
    }
  }
}
