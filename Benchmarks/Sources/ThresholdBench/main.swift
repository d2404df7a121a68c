import Curve
import Encodings
import Glibc
import SecretMemory
import Threshold

// ThresholdBench PART THRESHOLD MEMBERS COUNT
//   member     both rounds of one member: a nonce, and a checked part of a signature
//   aggregate  what a coordinator does for one signature: sums the nonces, makes the signature, and checks it
//   generate   one member's work in ChillDKG
//   secret     one member's part of a shared secret, with its proof
// Prints µs for each, CPU time. The signers of a group stay the same, so that their public shares are checked once.

func microseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

let words = CommandLine.arguments
guard words.count == 5, let threshold = Int(words[2]), let members = Int(words[3]), let count = Int(words[4]) else { exit(2) }
let message = [UInt8](repeating: 7, count: 32)
let key = try KeyPair.random()
let dealing = try TrustedDealer.split(try key.secretKey(), threshold: threshold, members: members)
let identifiers = (0..<UInt32(threshold)).map { $0 }
let signers = try SignerSet(
  members: members, threshold: threshold, identifiers: identifiers,
  publicShares: dealing.shares.prefix(threshold).map(\.publicShare), publicKey: dealing.commitment.publicKey)
let shares = Array(dealing.shares.prefix(threshold))

func measured(_ body: () throws -> Void) rethrows {
  let before = microseconds()
  for _ in 0..<count { try body() }
  print((microseconds() - before) / Double(count))
}

switch words[1] {
case "member":
  let others = try shares.dropFirst().map { try $0.nonce().publicNonce.bytes }
  try measured {
    let nonce = try shares[0].nonce()
    let sum = AggregateNonce(summing: [nonce.publicNonce] + others.map { PublicNonce($0)! })
    let session = try SigningSession(signers, nonce: sum, message: message)
    if try session.sign(nonce, share: shares[0]) == Bytes32() { exit(1) }
  }
case "aggregate":
  let nonces = try shares.map { SecretBox(try $0.nonce().bytes()) }
  let shown = try nonces.map { try SecretNonce(try $0.duplicate()).publicNonce }
  let session = try SigningSession(signers, nonce: try AggregateNonce(of: shown.map(\.bytes)), message: message)
  let partials = try zip(shares, nonces).map { try session.sign(try SecretNonce(try $1.duplicate()), share: $0) }
  try measured {
    let nonces = shown.map { PublicNonce($0.bytes)! }
    let session = try SigningSession(signers, nonce: AggregateNonce(summing: nonces), message: message)
    if try session.finish(partials, nonces: nonces).r == Bytes32() { exit(1) }
  }
case "generate":
  let hosts = try (0..<members).map { _ in try KeyPair.random() }
  let parameters = try DKGParameters(
    hostKeys: hosts.map { try $0.secretKey().compressedPublicKey().bytes }, threshold: threshold)
  let all = try hosts.map { try DKGMember(hostKey: try $0.secretKey(), parameters: parameters) }
  try measured {
    let own = try DKGMember(hostKey: try hosts[0].secretKey(), parameters: parameters)
    let coordinator = try DKGCoordinator([own.message] + all.dropFirst().map(\.message), parameters: parameters)
    if try own.answer(coordinator.message, hostKey: try hosts[0].secretKey()).message.count != 64 { exit(1) }
  }
case "secret":
  let peer = try KeyPair.random().publicKey
  try measured {
    if try SharedSecretPart(for: peer, share: shares[0], signers: signers).bytes.count != SharedSecretPart.length { exit(1) }
  }
default: exit(2)
}
