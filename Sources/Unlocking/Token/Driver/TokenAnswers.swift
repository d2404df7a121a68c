import CToken
import Ciphers
import Encodings
import Vault

extension TokenDriver.View {
  /// - Returns: nil for anything that a driver's process does not write.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let slots: UInt16 = reader.integer(), let count = reader.byte(), count <= TokenProtocol.maximumTokens else {
      return nil
    }
    var tokens: [TokenDriver.Token] = []
    for place in 0..<count {
      guard let token = TokenDriver.Token(place: place, &reader) else { return nil }
      tokens.append(token)
    }
    guard reader.isAtEnd else { return nil }
    (self.slots, self.tokens) = (Int(slots), tokens)
  }
}

extension TokenDriver.Token {
  fileprivate init?(place: UInt8, _ reader: inout ByteReader) {
    var info = CK_TOKEN_INFO()
    guard Self.copy(&reader, &info.label), Self.copy(&reader, &info.manufacturerID), Self.copy(&reader, &info.model),
      Self.copy(&reader, &info.serialNumber), let flags: UInt64 = reader.integer(),
      let path = reader.text(limit: ModuleFile.maximumLength), !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else { return nil }
    info.flags = CK_FLAGS(flags)
    (self.place, self.info, self.path) = (place, info, path.isEmpty ? nil : path)
  }

  /// Fills one field of the structure.
  private static func copy<Field>(_ reader: inout ByteReader, _ field: inout Field) -> Bool {
    guard let bytes = reader.take(MemoryLayout<Field>.size) else { return false }
    withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: bytes) }
    return true
  }
}

extension TokenPublicKey {
  /// - Returns: nil for anything that a driver's process does not write.
  /// - Throws: `.corrupt` for a point that is not on the curve.
  init?(encoded bytes: [UInt8]) throws(KeyStoreError) {
    var reader = ByteReader(bytes[...])
    switch reader.byte() {
    case 1:
      guard let point = reader.take(P256.pointLength), reader.isAtEnd else { return nil }
      do { self = .curve(try P256.PublicKey(Array(point))) } catch { throw .corrupt("the token's public key") }
    case 2:
      guard let modulus = reader.field(limit: TokenProtocol.maximumModulus),
        let exponent = reader.field(limit: TokenProtocol.maximumExponent),
        reader.isAtEnd
      else { return nil }
      self = .rsa(modulus: modulus, exponent: exponent)
    default: return nil
    }
  }
}
