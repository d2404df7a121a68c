import CToken
import Ciphers
import SecretMemory
import Vault

/// The use of a key on a token.
enum TokenKeyUse {
  /// ECDSA on P-256.
  case signing
  /// ECDH on P-256.
  case agreement
  /// RSA-OAEP with a modulus of that many bits.
  case decryption(bits: Int)
}

/// A key's public half on the token.
enum TokenPublicKey {
  case curve(P256.PublicKey)
  case rsa(modulus: [UInt8], exponent: [UInt8])
}

extension TokenSession {
  /// Makes a key pair on the token. The private key cannot be extracted.
  /// - Parameters:
  ///   - id: identifies the key; the token accepts any length.
  ///   - label: for people who inspect the token.
  /// - Throws: also `.deviceFailed` when the token made a key that can be extracted; that key is deleted.
  borrowing func generate(_ use: TokenKeyUse, id: [UInt8], label: String) throws(KeyStoreError) -> TokenPublicKey {
    let (publicKey, privateKey) = try makePair(TokenKeyTemplate(use, id: id, label: label))
    do throws(KeyStoreError) {
      guard try isKept(privateKey) else { throw KeyStoreError.deviceFailed("making a key that cannot be taken out", code: 0) }
      return try read(publicKey, use)
    } catch {
      for object in [publicKey, privateKey] { _ = token.module.pointee.C_DestroyObject?(handle, object) }
      throw error
    }
  }

  private borrowing func makePair(
    _ template: consuming TokenKeyTemplate
  ) throws(KeyStoreError) -> (publicKey: CK_OBJECT_HANDLE, privateKey: CK_OBJECT_HANDLE) {
    guard let generate = token.module.pointee.C_GenerateKeyPair else { throw .deviceFailed("making a key", code: 0) }
    var (publicKey, privateKey) = (CK_OBJECT_HANDLE(), CK_OBJECT_HANDLE())
    let handle = handle
    var mechanism = template.mechanism
    var publicHalf = template.publicHalf
    var privateHalf = template.privateHalf
    let status = publicHalf.withList { publicList, publicCount in
      privateHalf.withList { privateList, privateCount in
        generate(handle, &mechanism, publicList, publicCount, privateList, privateCount, &publicKey, &privateKey)
      }
    }
    try check(status, "making a key")
    return (publicKey, privateKey)
  }

  /// The private key with that id.
  /// - Throws: `.itemNotFound`; `.duplicateItem` when the token has two.
  borrowing func privateKey(_ id: [UInt8]) throws(KeyStoreError) -> CK_OBJECT_HANDLE {
    try one(CK_OBJECT_CLASS(CKO_PRIVATE_KEY), id)
  }

  /// - Throws: `.itemNotFound`, or `.corrupt` for a key of another kind.
  borrowing func publicKey(_ id: [UInt8], _ use: TokenKeyUse) throws(KeyStoreError) -> TokenPublicKey {
    try read(one(CK_OBJECT_CLASS(CKO_PUBLIC_KEY), id), use)
  }

  /// Deletes both halves.
  /// - Throws: `.itemNotFound`
  borrowing func delete(_ id: [UInt8]) throws(KeyStoreError) {
    guard let destroy = token.module.pointee.C_DestroyObject else { throw .deviceFailed("deleting a key", code: 0) }
    let found =
      try objects(CK_OBJECT_CLASS(CKO_PRIVATE_KEY), id) + objects(CK_OBJECT_CLASS(CKO_PUBLIC_KEY), id)
    guard !found.isEmpty else { throw .itemNotFound }
    for object in found { try check(destroy(handle, object), "deleting a key") }
  }

  private func one(_ class: CK_OBJECT_CLASS, _ id: [UInt8]) throws(KeyStoreError) -> CK_OBJECT_HANDLE {
    let found = try objects(`class`, id)
    guard let first = found.first else { throw .itemNotFound }
    guard found.count == 1 else { throw .duplicateItem }
    return first
  }

  private func objects(_ class: CK_OBJECT_CLASS, _ id: [UInt8]) throws(KeyStoreError) -> [CK_OBJECT_HANDLE] {
    let functions = token.module.pointee
    guard let begin = functions.C_FindObjectsInit, let find = functions.C_FindObjects, let end = functions.C_FindObjectsFinal
    else {
      throw .deviceFailed("looking for a key", code: 0)
    }
    var wanted = TokenAttributes()
    wanted.add(CK_ATTRIBUTE_TYPE(CKA_CLASS), CK_ULONG(`class`))
    wanted.add(CK_ATTRIBUTE_TYPE(CKA_ID), id)
    let handle = handle
    try check(wanted.withList { begin(handle, $0, $1) }, "looking for a key")
    defer { _ = end(handle) }
    var found = [CK_OBJECT_HANDLE](repeating: 0, count: 4)
    var count: CK_ULONG = 0
    try check(find(handle, &found, CK_ULONG(found.count), &count), "looking for a key")
    return Array(found.prefix(Int(clamping: count)))
  }

  // MARK: reading

  /// An attribute, at most 4,096 bytes.
  private func attribute(_ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE) throws(KeyStoreError) -> [UInt8] {
    guard let get = token.module.pointee.C_GetAttributeValue else { throw .deviceFailed("reading a key's attribute", code: 0) }
    var (bytes, length, status) = ([UInt8](repeating: 0, count: 4096), CK_ULONG(0), CK_RV(CKR_OK))
    bytes.withUnsafeMutableBytes { buffer in
      var wanted = CK_ATTRIBUTE(type: type, pValue: buffer.baseAddress, ulValueLen: CK_ULONG(buffer.count))
      status = get(handle, object, &wanted, 1)
      length = wanted.ulValueLen
    }
    try check(status, "reading a key's attribute")
    guard length <= bytes.count else { throw .corrupt("a key's attribute") }
    return Array(bytes.prefix(Int(length)))
  }

  /// Whether the token reports that the key was made on it and could never be extracted.
  private func isKept(_ key: CK_OBJECT_HANDLE) throws(KeyStoreError) -> Bool {
    for type in [CKA_SENSITIVE, CKA_ALWAYS_SENSITIVE, CKA_NEVER_EXTRACTABLE, CKA_LOCAL] {
      guard try attribute(CK_ATTRIBUTE_TYPE(type), of: key) == [1] else { return false }
    }
    return try attribute(CK_ATTRIBUTE_TYPE(CKA_EXTRACTABLE), of: key) == [0]
  }

  private func read(_ key: CK_OBJECT_HANDLE, _ use: TokenKeyUse) throws(KeyStoreError) -> TokenPublicKey {
    switch use {
    case .signing, .agreement:
      var point = try attribute(CK_ATTRIBUTE_TYPE(CKA_EC_POINT), of: key)
      // The standard wraps the point in an OCTET STRING; some tokens do not.
      if point.count == P256.pointLength + 2, point.starts(with: [0x04, UInt8(P256.pointLength)]) { point.removeFirst(2) }
      do { return .curve(try P256.PublicKey(point)) } catch { throw .corrupt("the token's public key") }
    case .decryption:
      return .rsa(
        modulus: try attribute(CK_ATTRIBUTE_TYPE(CKA_MODULUS), of: key),
        exponent: try attribute(CK_ATTRIBUTE_TYPE(CKA_PUBLIC_EXPONENT), of: key))
    }
  }
}
