import Encodings
import SecretMemory
public import Vault

/// The unencrypted part of a keyring slot: the name of the keyring item, and the key for its contents. FORMATS.md defines the
/// bytes.
public struct KeyringParameters: Sendable, Equatable {
  static let version: UInt8 = 1
  /// The version of a slot whose item is in no keyring.
  static let givenVersion: UInt8 = 2
  static let domain = "holdfast keyring slot 1"
  static let itemLength = 16
  static let keyLength = 32

  /// The PAM service that is asked before the keyring. Empty for none.
  public let pamService: String
  /// Whether the item is not in the desktop's keyring: it is given at each use, such as by a systemd credential.
  public let isGiven: Bool
  let item: [UInt8]
  let key: [UInt8]

  init(pamService: String, isGiven: Bool = false, item: [UInt8], key: [UInt8]) {
    (self.pamService, self.isGiven, self.item, self.key) = (pamService, isGiven, item, key)
  }

  /// New ones, with a random item and key.
  static func random(pamService: String, isGiven: Bool) -> KeyringParameters {
    KeyringParameters(
      pamService: pamService, isGiven: isGiven, item: SystemRandom.bytes(itemLength), key: SystemRandom.bytes(keyLength))
  }

  /// - Throws: `.corrupt` for anything that this version did not write.
  public init(_ bytes: [UInt8]) throws(KeyStoreError) {
    var reader = ByteReader(bytes[...])
    guard let version = reader.byte(), [Self.version, Self.givenVersion].contains(version),
      let pamService = reader.text(limit: PAMCheck.maximumServiceLength),
      pamService.isEmpty || PAMCheck.isName(pamService), let item = reader.take(Self.itemLength),
      let key = reader.take(Self.keyLength),
      reader.isAtEnd
    else { throw .corrupt("the keyring slot") }
    (self.pamService, isGiven) = (pamService, version == Self.givenVersion)
    (self.item, self.key) = (Array(item), Array(key))
  }

  /// The item's attribute `slot`.
  public var itemName: String { Hex.encode(item) }

  var bytes: [UInt8] { bound + key }

  /// Everything but the key, to which the keyring's contents are bound.
  var bound: [UInt8] {
    var bytes = [isGiven ? Self.givenVersion : Self.version]
    bytes.append(field: Array(pamService.utf8))
    return bytes + item
  }
}
