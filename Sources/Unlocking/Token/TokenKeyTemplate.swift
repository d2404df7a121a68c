import CToken

/// What a token is asked for to make a key pair: how, and the attributes of each half. The private half never leaves the token.
struct TokenKeyTemplate: ~Copyable {
  /// The DER of the curve's name, 1.2.840.10045.3.1.7.
  private static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  /// 65537.
  private static let exponent: [UInt8] = [1, 0, 1]

  private(set) var mechanism = CK_MECHANISM()
  private(set) var publicHalf = TokenAttributes()
  private(set) var privateHalf = TokenAttributes()

  init(_ use: TokenKeyUse, id: [UInt8], label: String) {
    name(id, label)
    keepOnToken()
    switch use {
    case .signing:
      makeOnCurve()
      publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_VERIFY), true)
      privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_SIGN), true)
    case .agreement:
      makeOnCurve()
      privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_DERIVE), true)
    case .decryption(let bits): makeRSA(bits: bits)
    }
  }

  private mutating func name(_ id: [UInt8], _ label: String) {
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_ID), id)
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_LABEL), label.utf8)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_ID), id)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_LABEL), label.utf8)
  }

  private mutating func keepOnToken() {
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_TOKEN), true)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_TOKEN), true)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_PRIVATE), true)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_SENSITIVE), true)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_EXTRACTABLE), false)
  }

  private mutating func makeOnCurve() {
    mechanism.mechanism = CK_MECHANISM_TYPE(CKM_EC_KEY_PAIR_GEN)
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_EC_PARAMS), Self.p256)
  }

  private mutating func makeRSA(bits: Int) {
    mechanism.mechanism = CK_MECHANISM_TYPE(CKM_RSA_PKCS_KEY_PAIR_GEN)
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_MODULUS_BITS), CK_ULONG(bits))
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_PUBLIC_EXPONENT), Self.exponent)
    publicHalf.add(CK_ATTRIBUTE_TYPE(CKA_ENCRYPT), true)
    privateHalf.add(CK_ATTRIBUTE_TYPE(CKA_DECRYPT), true)
  }
}
