import Ciphers
import Curve
import SecretMemory

/// What can be wrong with an extended key or a derivation path. No case carries a byte of a key.
public enum ExtendedKeyError: Error, Equatable, Sendable {
  /// No guarded memory is left.
  case outOfMemory
  /// A seed is not 16 to 64 bytes; the number found.
  case seedLength(Int)
  /// There is no key at this place: the hash left the curve's range. Take the next index. Happens once in 2^127 keys.
  case noKeyHere
  /// A hardened child needs the private key.
  case hardenedChildOfPublicKey
  /// More than 255 steps below the master key.
  case tooDeep
  /// The text of a key is longer or shorter than any extended key.
  case textLength(Int)
  /// A character outside Base58's alphabet at this offset in bytes.
  case notBase58(offset: Int)
  /// The last four bytes are not the checksum of the others: a typing mistake.
  case checksum
  /// Not 78 bytes behind the Base58Check coding; the number found.
  case payloadLength(Int)
  /// The first four bytes name none of xprv, xpub, tprv and tpub, or a public key where a private one was asked for, or the reverse.
  case unknownVersion
  /// A master key that claims a parent or an index.
  case masterKeyWithParent
  /// A private key that is not 0 and 32 bytes of a number from 1 to the group order less one.
  case malformedPrivateKey
  /// A public key that is no compressed point of the curve.
  case malformedPublicKey
  /// A path's component at this position (`m` is 0) is not a number below 2^31 with or without a mark, or the path has no `m`.
  case malformedPath(component: Int)
  /// A library refused a call that should not fail.
  case library
}

/// As `SecretBytes.init(count:filling:)` with the error of extended keys.
func keyBytes(
  _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(ExtendedKeyError) -> Void
) throws(ExtendedKeyError) -> SecretBytes {
  do throws(SecretBytesError<ExtendedKeyError>) { return try SecretBytes(count: count, filling: fill) } catch {
    switch error {
    case .outOfMemory: throw .outOfMemory
    case .filling(let fault): throw fault
    }
  }
}

extension ExtendedKeyError {
  init(_ fault: CipherError) { self = fault == .outOfMemory ? .outOfMemory : .library }
}
