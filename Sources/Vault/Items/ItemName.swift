import Encodings

/// Distinguishes items: a service and an account, as in Apple's Keychain.
///
/// The service is the program or the purpose; the account is whose item it is. A plain name has an empty service.
public struct ItemName: Hashable, Sendable {
  /// The longest service or account, in bytes of UTF-8.
  public static let maximumLength = 256

  /// Empty for a plain name.
  public let service: String
  /// 1 to 256 bytes of UTF-8 without control characters.
  public let account: String

  /// A name in two parts.
  /// - Throws: the first fault found.
  public init(service: String, account: String) throws(ItemNameError) {
    guard !account.isEmpty else { throw .empty }
    for part in [service, account] {
      guard part.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
      guard part.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw .controlCharacter }
    }
    (self.service, self.account) = (service, account)
  }

  /// A plain name.
  /// - Throws: the first fault found.
  public init(_ account: String) throws(ItemNameError) { try self.init(service: "", account: account) }
}

/// Why a text is no name for an item.
public enum ItemNameError: Error, Sendable, Equatable {
  case empty
  /// In bytes of UTF-8.
  case tooLong(limit: Int)
  case controlCharacter
}

// The id of the records of kinds item note and item value, for docs/FORMATS.md: length of the service (2) ‖ service ‖ account.

extension ItemName {
  var recordID: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: service.utf8.count))  // at most 256
    return bytes + Array(service.utf8) + Array(account.utf8)
  }

  init?(recordID: [UInt8]) {
    var reader = ByteReader(recordID[...])
    guard let length: UInt16 = reader.integer(), let service = reader.take(Int(length)),
      let service = String(validating: service, as: UTF8.self), let account = String(validating: reader.rest, as: UTF8.self),
      let name = try? ItemName(service: service, account: account)
    else { return nil }
    self = name
  }
}
