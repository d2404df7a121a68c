import Ciphers
import Encodings
import SecretMemory
import TestSupport
import TestVectors
import Testing

@Suite("P-256")
struct P256Tests {
  /// RFC 6979, A.2.5.
  static let key = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
  static let x = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
  static let y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
  /// The order of the group, SP 800-186.
  static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

  @Test("The public key follows from the private key") func publicKeyBelongsToThePrivateOne() throws {
    let key = try P256.PrivateKey(try secret(hex: Self.key))
    #expect(key.publicKey.bytes.hex == "04" + Self.x + Self.y)
    #expect(key.publicKey.x.hex == Self.x && key.publicKey.y.hex == Self.y)
    #expect(try P256.PublicKey(x: bytes(Self.x), y: bytes(Self.y)) == key.publicKey)
    #expect(key.withBytes { Hex.encode($0) } == Self.key)
  }

  /// RFC 6979, A.2.5, with SHA-256. Our own nonces are random, so these are checked, not made. The first has a high s: it is taken.
  @Test(
    "The signatures published in RFC 6979 are valid",
    arguments: [
      (
        "sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
        "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
      ),
      (
        "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
        "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
      ),
    ])
  func acceptsTheSignaturesOfRFC6979(message: String, r: String, s: String) throws {
    let key = try P256.PublicKey(bytes("04" + Self.x + Self.y))
    let signature = try P256.Signature(raw: bytes(r + s))
    #expect(key.isValid(signature, ofMessage: Array(message.utf8)))
    #expect(!key.isValid(signature, ofMessage: Array("other".utf8)))
    #expect(try P256.Signature(der: #require(signature.der)) == signature)
  }

  /// RFC 7515, A.3: a JSON Web Signature.
  @Test("The signature published in RFC 7515 is valid") func acceptsTheSignatureOfRFC7515() throws {
    let key = try P256.PublicKey(
      x: #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")),
      y: #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")))
    let signature = try P256.Signature(
      raw: #require(Base64URL.decode("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")))
    let message =
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    #expect(key.isValid(signature, ofMessage: Array(message.utf8)))
  }

  /// WebAuthn Level 3, "ES256 Credential with No Attestation": the DER form, over authenticator data and the hash of client data.
  @Test("The published signature of a passkey is valid") func acceptsTheSignatureOfAPasskey() throws {
    let key = try P256.PublicKey(
      x: bytes("afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61"),
      y: bytes("930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220"))
    let signature = try P256.Signature(
      der: bytes(
        "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd38"
          + "0221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87"))
    let clientData =
      #"{"type":"webauthn.get","challenge":"OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag","origin":"https://example.org","#
      + #""crossOrigin":false}"#
    let message =
      bytes("bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000")
      + SHA256.digest(of: Array(clientData.utf8)).array
    #expect(key.isValid(signature, ofMessage: message))
  }

  /// RFC 8291, section 5: both sides of the key agreement of its example.
  @Test("Both sides derive the shared secret published in RFC 8291") func agreesOnTheSecretOfRFC8291() throws {
    let receiver = try P256.PrivateKey(secret(#require(Base64URL.decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))))
    let sender = try P256.PrivateKey(secret(#require(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))))
    #expect(
      Base64URL.string(receiver.publicKey.bytes)
        == "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    #expect(
      Base64URL.string(try sender.sharedSecret(with: receiver.publicKey).array()) == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"
    )
    #expect(try receiver.sharedSecret(with: sender.publicKey).equals(try sender.sharedSecret(with: receiver.publicKey)))
  }

  @Test("Bytes that are not a point on the curve are refused") func refusesWhatIsNoPoint() {
    let point = bytes("04" + Self.x + Self.y)
    #expect(throws: CipherError.wrongLength(expected: 65, got: 0)) { try P256.PublicKey([]) }
    #expect(throws: CipherError.wrongLength(expected: 65, got: 64)) { try P256.PublicKey(point.dropLast()) }
    #expect(throws: CipherError.wrongLength(expected: 65, got: 33)) { try P256.PublicKey(bytes("03" + Self.x)) }
    #expect(throws: CipherError.wrongLength(expected: 65, got: 1)) { try P256.PublicKey([0]) }
    #expect(throws: CipherError.wrongLength(expected: 32, got: 31)) {
      try P256.PublicKey(x: bytes(Self.x).dropLast(), y: bytes(Self.y))
    }
    for first in [0, 2, 3, 5, 6, 7, 255] as [UInt8] {
      #expect(throws: CipherError.notOnCurve) { try P256.PublicKey([first] + point.dropFirst()) }
    }
    #expect(throws: CipherError.notOnCurve) { try P256.PublicKey([4] + [UInt8](repeating: 0, count: 64)) }
    #expect(throws: CipherError.notOnCurve) { try P256.PublicKey([4] + [UInt8](repeating: 255, count: 64)) }
  }

  /// An invalid point is how a private key is stolen through ECDH: none may come through.
  @Test("A public key with a flipped bit is refused") func anyFlippedBitOfAPointIsRefused() {
    let point = bytes("04" + Self.x + Self.y)
    for bit in 0..<point.count * 8 {
      var changed = point
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CipherError.notOnCurve, "bit \(bit)") { try P256.PublicKey(changed) }
    }
  }

  @Test("Bytes that are not a private key are refused") func refusesWhatIsNoPrivateKey() {
    func make(_ hex: String) throws -> [UInt8] { try P256.PrivateKey(try secret(hex: hex)).publicKey.bytes }
    let zero = String(repeating: "00", count: 32)
    #expect(throws: CipherError.keyOutOfRange) { try make(zero) }
    #expect(throws: CipherError.keyOutOfRange) { try make(Self.order) }
    #expect(throws: CipherError.keyOutOfRange) { try make(String(repeating: "ff", count: 32)) }
    #expect(throws: CipherError.wrongLength(expected: 32, got: 31)) { try make(String(zero.dropFirst(2))) }
    #expect(throws: CipherError.wrongLength(expected: 32, got: 33)) { try make(zero + "01") }
    #expect(throws: Never.self) { try make(zero.dropLast() + "1") }
    #expect(throws: Never.self) { try make(Self.order.dropLast() + "0") }
  }

  @Test("A signature is valid, and any change makes it invalid") func whatIsSignedIsValidAndAnyChangeIsNot() throws {
    let key = try P256.PrivateKey.random()
    let digest = SHA256.digest(of: Array("a request".utf8))
    let signature = try key.sign(digest)
    #expect(key.publicKey.isValid(signature, of: digest))
    #expect(try key.sign(digest) != signature, "nonces are fresh")
    #expect(!(try P256.PrivateKey.random()).publicKey.isValid(signature, of: digest))
    for bit in 0..<512 {
      var raw = signature.raw
      raw[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!key.publicKey.isValid(try P256.Signature(raw: raw), of: digest), "bit \(bit)")
    }
  }

  /// Zero and the order are out of range: the "psychic signature" of CVE-2022-21449 among them.
  @Test("A signature with numbers out of range is refused") func refusesNumbersOutOfRange() throws {
    let key = try P256.PublicKey(bytes("04" + Self.x + Self.y))
    let (zero, one) = (String(repeating: "0", count: 64), String(repeating: "0", count: 63) + "1")
    for (r, s) in [(zero, zero), (one, zero), (zero, one), (Self.order, one), (one, Self.order), (Self.order, Self.order)] {
      #expect(!key.isValid(try P256.Signature(raw: bytes(r + s)), of: SHA256.digest(of: [])))
    }
  }

  @Test(
    "Signatures that are not strict DER are refused",
    arguments: [
      "", "30", "3000", "3006020101", "3006020100020100ff", "30060201ff020101", "3007020200010201ff", "300702020001020101",
      "30810602010102010101", "3081060201010201" + "01", "3080020101020101" + "0000", "300602010102810101",
      "310602010102" + "0101",
      "3046022101" + String(repeating: "00", count: 32) + "022101" + String(repeating: "00", count: 32),
      "3009020101020101020101", "3006040101040101",
    ])
  func refusesWhatIsNotStrictDER(hex: String) {
    #expect(throws: CipherError.malformedSignature) { try P256.Signature(der: bytes(hex)) }
  }

  @Test("A signature survives the change between its raw form and DER") func rawAndDERAreTwoFormsOfOneSignature() throws {
    #expect(throws: CipherError.wrongLength(expected: 64, got: 63)) { try P256.Signature(raw: [UInt8](repeating: 1, count: 63)) }
    let short = try P256.Signature(der: bytes("3006020101020102"))
    #expect(short.raw.hex == String(repeating: "0", count: 63) + "1" + String(repeating: "0", count: 63) + "2")
    let seed: UInt64 = 6979
    var random = Repeatable(seed: seed)
    for _ in 0..<500 {
      var raw = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      for index in 0..<Int.random(in: 0...34, using: &random) { raw[index] = 0 }
      let signature = try P256.Signature(raw: raw)
      #expect(try P256.Signature(der: #require(signature.der)) == signature, "seed \(seed)")
    }
  }
}
