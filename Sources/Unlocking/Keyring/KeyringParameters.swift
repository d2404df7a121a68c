import Encodings
public import Vault

/// The unencrypted part of a keyring slot: the name of the keyring item, and the key for its contents. FORMATS.md defines the
/// bytes.
public struct KeyringParameters: Sendable, Equatable {
  static let version: UInt8 = 1
  static let domain = "holdfast keyring slot 1"
  static let itemLength = 16
  static let keyLength = 32

  /// The PAM service that is asked before the keyring. Empty for none.
  public let pamService: String
  let item: [UInt8]
  let key: [UInt8]

  init(pamService: String, item: [UInt8], key: [UInt8]) { (self.pamService, self.item, self.key) = (pamService, item, key) }

  /// - Throws: `.corrupt` for anything that this version did not write.
  public init(_ bytes: [UInt8]) throws(KeyStoreError) {
    var reader = ByteReader(bytes[...])
    guard let version = reader.byte(), version == Self.version,
      let pamService = reader.text(limit: PAMCheck.maximumServiceLength),
      pamService.isEmpty || PAMCheck.isName(pamService), let item = reader.take(Self.itemLength),
      let key = reader.take(Self.keyLength),
      reader.isAtEnd
    else { throw .corrupt("the keyring slot") }
    (self.pamService, self.item, self.key) = (pamService, Array(item), Array(key))
  }

  /// The item's attribute `slot`.
  public var itemName: String { Hex.encode(item) }

  var bytes: [UInt8] { bound + key }

  /// Everything but the key, to which the keyring's contents are bound.
  var bound: [UInt8] {
    var bytes = [Self.version]
    bytes.append(field: Array(pamService.utf8))
    return bytes + item
  }
}
