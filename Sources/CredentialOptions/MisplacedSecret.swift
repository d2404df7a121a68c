/// Whether a word of the command line contains what looks like a secret key in nsec form. Then the command is refused.
///
/// It looks for `nsec1` and at least 20 letters of the bech32 alphabet, in either case: an incomplete key is still worth a
/// warning, a file named `nsec1-backup` is not.
package func holdsSecretKey(_ word: String) -> Bool {
  let bytes = word.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  let prefix = Array("nsec1".utf8)
  guard bytes.count >= prefix.count + fewestLetters else { return false }
  return bytes.indices.dropLast(prefix.count - 1).contains { start in
    let body = bytes[start...].dropFirst(prefix.count)
    return bytes[start...].starts(with: prefix) && body.prefix { bech32Letters.contains($0) }.count >= fewestLetters
  }
}

/// Whether a word could be a secret key in hex: 64 hex digits. Public keys look the same, so this is for arguments that expect a
/// name.
package func looksLikeHexKey(_ word: String) -> Bool {
  word.utf8.count == 64 && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
}

private let fewestLetters = 20
private let bech32Letters = Set("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
