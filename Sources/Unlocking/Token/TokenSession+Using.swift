import CToken
import Ciphers
import Encodings
import SecretMemory
import Vault

extension TokenSession {
  /// An ECDSA signature of 64 bytes over a digest.
  borrowing func sign(_ digest: Bytes32, with key: CK_OBJECT_HANDLE) throws(KeyStoreError) -> [UInt8] {
    let functions = token.module.pointee
    guard let begin = functions.C_SignInit, let sign = functions.C_Sign else { throw .deviceFailed("signing", code: 0) }
    var mechanism = CK_MECHANISM()
    mechanism.mechanism = CK_MECHANISM_TYPE(CKM_ECDSA)
    try check(begin(handle, &mechanism, key), "signing")
    var (input, signature) = (digest.array, [UInt8](repeating: 0, count: 64))
    var length = CK_ULONG(signature.count)
    try check(sign(handle, &input, CK_ULONG(input.count), &signature, &length), "signing")
    guard length == signature.count else { throw .corrupt("the token's signature") }
    return signature
  }

  /// The x coordinate of the shared point, 32 bytes.
  borrowing func agree(_ key: CK_OBJECT_HANDLE, with point: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    var (point, shared) = (point, CK_OBJECT_HANDLE())
    try check(
      holdfast_token_ecdh(token.module, handle, key, &point, CK_ULONG(point.count), &shared), "the key agreement")
    defer { _ = token.module.pointee.C_DestroyObject?(handle, shared) }
    return try secret(32) { buffer in
      var value = CK_ATTRIBUTE(type: CK_ATTRIBUTE_TYPE(CKA_VALUE), pValue: buffer.baseAddress, ulValueLen: CK_ULONG(buffer.count))
      let status = token.module.pointee.C_GetAttributeValue?(handle, shared, &value, 1) ?? CK_RV(CKR_FUNCTION_NOT_SUPPORTED)
      return (status, value.ulValueLen)
    }
  }

  /// Decrypts 32 bytes that were encrypted with RSA-OAEP.
  borrowing func decrypt(_ wrapped: [UInt8], with key: CK_OBJECT_HANDLE) throws(KeyStoreError) -> SecretBytes {
    var wrapped = wrapped
    return try secret(32) { buffer in
      // Modules require a buffer for a whole block, whatever the plaintext's length is.
      withUnsafeTemporaryAllocation(byteCount: wrapped.count, alignment: 8) { room in
        defer { wipe(room) }
        var length = CK_ULONG(room.count)
        let start = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = holdfast_token_oaep(token.module, handle, key, &wrapped, CK_ULONG(wrapped.count), start, &length)
        if status == CK_RV(CKR_OK), length == buffer.count {
          buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<buffer.count]))
        }
        return (status, length)
      }
    }
  }

  private func secret(
    _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> (CK_RV, CK_ULONG)
  ) throws(KeyStoreError) -> SecretBytes {
    do {
      return try SecretBytes(count: count) { (buffer) throws(KeyStoreError) in
        let (status, length) = fill(buffer)
        try check(status, "opening with the token's key")
        guard length == CK_ULONG(count) else { throw KeyStoreError.corrupt("what the token opened") }
      }
    } catch {
      switch error {
      case .outOfMemory: throw .vault(.outOfMemory)
      case .filling(let fault): throw fault
      }
    }
  }
}
