import CToken

/// A list of attributes for PKCS#11. Each value has its own memory until the list is freed. Must not contain secrets.
struct TokenAttributes: ~Copyable {
  private var list: [CK_ATTRIBUTE] = []

  deinit { for attribute in list { attribute.pValue?.deallocate() } }

  mutating func add(_ type: CK_ATTRIBUTE_TYPE, _ bytes: some Collection<UInt8>) {
    let value = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    value.copyBytes(from: bytes)
    list.append(CK_ATTRIBUTE(type: type, pValue: value.baseAddress, ulValueLen: CK_ULONG(bytes.count)))
  }

  mutating func add(_ type: CK_ATTRIBUTE_TYPE, _ flag: Bool) { add(type, [flag ? 1 : 0]) }

  mutating func add(_ type: CK_ATTRIBUTE_TYPE, _ number: CK_ULONG) { withUnsafeBytes(of: number) { add(type, $0) } }

  /// Lends the list for one call.
  mutating func withList<R>(_ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) -> R) -> R {
    list.withUnsafeMutableBufferPointer { body($0.baseAddress, CK_ULONG($0.count)) }
  }
}
