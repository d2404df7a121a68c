import Ciphers
import Encodings
import SecretMemory
import TestSupport
import Testing

@Suite struct ChaCha20Tests {
  static let key = Array<UInt8>(0...31)

  private func apply(_ input: [UInt8], key: [UInt8] = key, nonce: [UInt8]) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: input.count)
    try output.withUnsafeMutableBytes { try ChaCha20.apply(key: raw(key), nonce: raw(nonce), to: raw(input), into: $0) }
    return output
  }

  // RFC 8439, section 2.4.2 starts its example at counter 1: one block of zeros goes before it.
  @Test("The published ChaCha20 example is reproduced") func publishedExample() throws {
    let text = """
      Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
      """
    let input = [UInt8](repeating: 0, count: 64) + Array(text.utf8)
    let output = try apply(input, nonce: bytes("000000000000004a00000000"))
    #expect(
      Array(output[64...]).hex
        == "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d"
    )
  }

  // RFC 8439, appendix A.1, vector 1: the key stream of zeros.
  @Test("Encrypting zeros gives the published key stream") func keyStreamOfZeros() throws {
    let output = try apply(
      [UInt8](repeating: 0, count: 64), key: [UInt8](repeating: 0, count: 32), nonce: [UInt8](repeating: 0, count: 12))
    #expect(
      output.hex
        == "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    )
  }

  /// Short inputs and long ones go through different libraries: the long one's beginning is the short one.
  @Test("Short and long inputs are encrypted to the same bytes", arguments: [0, 1, 63, 64, 65, 2047, 2048, 2049, 4096, 65_537])
  func bothPathsAgree(count: Int) throws {
    let seed: UInt64 = 8439
    var random = Repeatable(seed: seed)
    let (input, nonce) = (random.bytes(70_000), random.bytes(12))
    let whole = try apply(input, nonce: nonce)
    #expect(try apply(Array(input[..<count]), nonce: nonce) == Array(whole[..<count]), "seed \(seed)")
    #expect(try apply(Array(whole[..<count]), nonce: nonce) == Array(input[..<count]), "seed \(seed)")
  }

  @Test("Encryption works in place", arguments: [100, 5000])
  func worksInPlace(count: Int) throws {
    var random = Repeatable(seed: 1)
    let (input, nonce) = (random.bytes(count), random.bytes(12))
    var place = input
    try place.withUnsafeMutableBytes {
      try ChaCha20.apply(key: raw(Self.key), nonce: raw(nonce), to: UnsafeRawBufferPointer($0), into: $0)
    }
    #expect(try apply(input, nonce: nonce) == place)
  }

  @Test("ChaCha20 refuses keys and nonces of the wrong length") func wrongLengthsAreRefused() {
    #expect(throws: CipherError.wrongLength(expected: 32, got: 31)) { try apply([1], key: Array(0...30), nonce: Array(0...11)) }
    #expect(throws: CipherError.wrongLength(expected: 12, got: 8)) { try apply([1], nonce: Array(0...7)) }
    var short = [UInt8](repeating: 0, count: 3)
    #expect(throws: CipherError.wrongLength(expected: 4, got: 3)) {
      try short.withUnsafeMutableBytes {
        try ChaCha20.apply(key: raw(Self.key), nonce: raw(Array(0...11)), to: raw([1, 2, 3, 4]), into: $0)
      }
    }
  }
}

@Suite struct AuthenticatedEncryptionTests {
  // RFC 8439, section 2.8.2.
  @Test("The published ChaCha20-Poly1305 example is reproduced") func publishedChaChaPoly() throws {
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    let sealed = try ChaChaPoly.seal(
      raw(text), key: raw(Array(0x80...0x9f)), nonce: bytes("070000004041424344454647"),
      associated: bytes("50515253c0c1c2c3c4c5c6c7"), variant: .ietf)
    #expect(sealed.hex.hasPrefix("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"))
    #expect(sealed.hex.hasSuffix("1ae10b594f09e26a7e902ecbd0600691"))
  }

  // draft-irtf-cfrg-xchacha-03, appendix A.3.1.
  @Test("The published XChaCha20-Poly1305 example is reproduced") func publishedXChaChaPoly() throws {
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    let sealed = try ChaChaPoly.seal(
      raw(text), key: raw(Array(0x80...0x9f)), nonce: Array(0x40...0x57), associated: bytes("50515253c0c1c2c3c4c5c6c7"))
    #expect(sealed.hex.hasPrefix("bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"))
    #expect(sealed.hex.hasSuffix("c0875924c1c7987947deafd8780acf49"))
  }

  // The Galois/Counter Mode of Operation (McGrew and Viega), test case 16 with its associated data.
  @Test("The published AES-GCM example is reproduced") func publishedAESGCM() throws {
    let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let text = bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    let sealed = try AESGCM.seal(
      raw(text), key: raw(key), nonce: bytes("cafebabefacedbaddecaf888"),
      associated: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
    #expect(
      sealed.hex
        == "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        + "76fc6ece0f4e1768cddf8853bb2d551b"
    )
    #expect(
      try AESGCM.open(
        raw(sealed), key: raw(key), nonce: bytes("cafebabefacedbaddecaf888"),
        associated: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
      ).array() == text)
  }

  @Test("A flipped bit anywhere in a sealed box is detected") func anyFlippedBitOfASealedBoxIsNoticed() throws {
    var random = Repeatable(seed: 28)
    let (secret, other, text) = (random.bytes(32), random.bytes(32), random.bytes(20))
    let sealed = try SealedBox.seal(raw(text), to: SealedBox.publicKey(of: raw(secret)))
    #expect(try SealedBox.open(sealed, secretKey: raw(secret)).array() == text)
    for bit in 0..<8 * sealed.count {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CipherError.notAuthentic) { try SealedBox.open(changed, secretKey: raw(secret)).array() }
    }
    #expect(throws: CipherError.notAuthentic) { try SealedBox.open(sealed, secretKey: raw(other)).array() }
    #expect(throws: CipherError.notAuthentic) { try SealedBox.open(Array(sealed.dropLast()), secretKey: raw(secret)).array() }
  }

  enum Cipher: CaseIterable {
    case gcm, ietf, xchacha
    var nonceLength: Int { self == .xchacha ? 24 : 12 }

    func seal(_ text: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ associated: [UInt8]) throws -> [UInt8] {
      self == .gcm
        ? try AESGCM.seal(raw(text), key: raw(key), nonce: nonce, associated: associated)
        : try ChaChaPoly.seal(
          raw(text), key: raw(key), nonce: nonce, associated: associated, variant: self == .ietf ? .ietf : .xchacha)
    }

    func open(_ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ associated: [UInt8]) throws -> [UInt8] {
      self == .gcm
        ? try AESGCM.open(raw(sealed), key: raw(key), nonce: nonce, associated: associated).array()
        : try ChaChaPoly.open(
          raw(sealed), key: raw(key), nonce: nonce, associated: associated, variant: self == .ietf ? .ietf : .xchacha
        ).array()
    }
  }

  @Test("A flipped bit in the text, key, nonce or associated data is detected", arguments: Cipher.allCases)
  func anyFlippedBitIsNoticed(cipher: Cipher) throws {
    let seed: UInt64 = 27
    var random = Repeatable(seed: seed)
    let (text, key, nonce, associated) = (random.bytes(40), random.bytes(32), random.bytes(cipher.nonceLength), random.bytes(13))
    let sealed = try cipher.seal(text, key, nonce, associated)
    #expect(try cipher.open(sealed, key, nonce, associated) == text)
    func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
      var bytes = bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return bytes
    }
    for bit in 0..<sealed.count * 8 {
      #expect(throws: CipherError.notAuthentic) { try cipher.open(flipped(sealed, bit), key, nonce, associated) }
    }
    for bit in 0..<96 {
      #expect(throws: CipherError.notAuthentic) { try cipher.open(sealed, flipped(key, bit), nonce, associated) }
      #expect(throws: CipherError.notAuthentic) { try cipher.open(sealed, key, flipped(nonce, bit), associated) }
      #expect(throws: CipherError.notAuthentic) { try cipher.open(sealed, key, nonce, flipped(associated, bit)) }
    }
    for count in 0..<sealed.count {
      #expect(throws: CipherError.notAuthentic) { try cipher.open(Array(sealed[..<count]), key, nonce, associated) }
    }
  }

  @Test("Keys and nonces of the wrong length are refused by every cipher", arguments: Cipher.allCases, [0, 16, 31, 33])
  func keysAndNoncesOfAnotherLengthAreRefused(cipher: Cipher, count: Int) {
    let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 1, count: cipher.nonceLength))
    let other = [UInt8](repeating: 1, count: count)
    let sealed = [UInt8](repeating: 0, count: 40)
    #expect(throws: CipherError.wrongLength(expected: 32, got: count)) { try cipher.seal([1], other, nonce, []) }
    #expect(throws: CipherError.wrongLength(expected: 32, got: count)) { try cipher.open(sealed, other, nonce, []) }
    #expect(throws: CipherError.wrongLength(expected: cipher.nonceLength, got: count)) { try cipher.seal([1], key, other, []) }
    #expect(throws: CipherError.wrongLength(expected: cipher.nonceLength, got: count)) { try cipher.open(sealed, key, other, []) }
  }
}

@Suite struct AESCBCTests {
  static let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
  static let iv = Array<UInt8>(0...15)
  static let text =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

  // NIST SP 800-38A, F.2.5; the last block is ours, the padding.
  @Test("The published AES-CBC example is reproduced") func publishedExample() throws {
    let sealed = try AESCBC.encrypt(raw(bytes(Self.text)), key: raw(Self.key), iv: Self.iv)
    #expect(
      Array(sealed[..<64]).hex
        == "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
    )
    #expect(sealed.count == 80)
    #expect(try AESCBC.decrypt(raw(sealed), key: raw(Self.key), iv: Self.iv).hex == Self.text)
  }

  @Test("A text of any length is decrypted as it was encrypted", arguments: 0...50)
  func readsBackAtEveryLength(count: Int) throws {
    var random = Repeatable(seed: UInt64(count))
    let text = random.bytes(count)
    let sealed = try AESCBC.encrypt(raw(text), key: raw(Self.key), iv: Self.iv)
    #expect(sealed.count == count / 16 * 16 + 16)
    #expect(try AESCBC.decrypt(raw(sealed), key: raw(Self.key), iv: Self.iv) == text)
  }

  /// CBC: a byte changed in the IV changes the same byte of the first block, so any padding can be made.
  @Test("Malformed padding is refused") func everyMalformedPaddingIsRefused() throws {
    let sealed = try AESCBC.encrypt(raw([UInt8](repeating: 0x2a, count: 15)), key: raw(Self.key), iv: Self.iv)
    for last in UInt8.min...UInt8.max {
      var iv = Self.iv
      iv[15] ^= 1 ^ last  // the last byte becomes `last`
      let opened = Result { try AESCBC.decrypt(raw(sealed), key: raw(Self.key), iv: iv) }
      if last == 1 {
        #expect(try opened.get() == [UInt8](repeating: 0x2a, count: 15))
      } else {
        #expect(throws: CipherError.badPadding) { try opened.get() }
      }
    }
  }

  @Test("An incomplete block is refused", arguments: [0, 1, 15, 17, 31])
  func partsOfABlockAreRefused(count: Int) {
    #expect(throws: CipherError.badPadding) {
      try AESCBC.decrypt(raw([UInt8](repeating: 0, count: count)), key: raw(Self.key), iv: Self.iv)
    }
  }

  @Test("AES-CBC refuses keys and initial vectors of the wrong length") func wrongLengthsAreRefused() {
    #expect(throws: CipherError.wrongLength(expected: 32, got: 16)) {
      try AESCBC.encrypt(raw([1]), key: raw(Array(0...15)), iv: Self.iv)
    }
    #expect(throws: CipherError.wrongLength(expected: 16, got: 12)) {
      try AESCBC.decrypt(raw([UInt8](repeating: 0, count: 16)), key: raw(Self.key), iv: Array(0...11))
    }
  }
}
