import Curve
import Encodings

/// The records inside `nprofile`, `nevent` and `naddr`: one byte of type, one of length, then the value.
enum Records {
  static let special: UInt8 = 0
  static let relay: UInt8 = 1
  static let author: UInt8 = 2
  static let kind: UInt8 = 3

  /// - Throws: `.recordTooLong`.
  static func record(_ type: UInt8, _ value: [UInt8]) throws(EntityError) -> [UInt8] {
    guard let length = UInt8(exactly: value.count) else { throw .recordTooLong(value.count) }
    return [type, length] + value
  }

  static func special(_ value: [UInt8]) throws(EntityError) -> [UInt8] { try record(special, value) }

  static func relays(_ relays: [String]) throws(EntityError) -> [UInt8] {
    var bytes: [UInt8] = []
    for url in relays { bytes += try record(relay, Array(url.utf8)) }
    return bytes
  }

  static func author(_ key: PublicKey?) throws(EntityError) -> [UInt8] {
    guard let key else { return [] }
    return try record(author, key.bytes.array)
  }

  static func kind(_ kind: Int?) throws(EntityError) -> [UInt8] {
    guard let kind else { return [] }
    return try record(self.kind, withUnsafeBytes(of: UInt32(clamping: kind).bigEndian) { Array($0) })
  }
}

/// The records that were found. Unknown types are passed over, as NIP-19 asks.
struct FoundRecords {
  private(set) var special: [UInt8]?
  private(set) var relays: [String] = []
  private(set) var author: PublicKey?
  private(set) var kind: Int?

  init(_ bytes: UnsafeRawBufferPointer) throws(EntityError) {
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= 2, bytes.count - position - 2 >= Int(bytes[position + 1])
      else { throw .malformedRecord(at: position) }
      let end = position + 2 + Int(bytes[position + 1])
      try take(bytes[position], UnsafeRawBufferPointer(rebasing: bytes[(position + 2)..<end]), at: position)
      position = end
    }
  }

  private mutating func take(_ type: UInt8, _ value: UnsafeRawBufferPointer, at position: Int) throws(EntityError) {
    switch type {
    case Records.special:
      guard special == nil else { throw .repeatedRecord(type: type) }
      special = Array(value)
    case Records.relay:
      guard let url = String(validating: value, as: UTF8.self) else { throw .malformedRecord(at: position) }
      relays.append(url)
    case Records.author:
      guard author == nil else { throw .repeatedRecord(type: type) }
      guard let key = Bytes32(copying: value) else { throw .malformedRecord(at: position) }
      author = PublicKey(key)
    case Records.kind:
      guard kind == nil else { throw .repeatedRecord(type: type) }
      guard value.count == 4 else { throw .malformedRecord(at: position) }
      let number = Int(UInt32(bigEndian: value.loadUnaligned(as: UInt32.self)))
      guard EventKind.range.contains(number) else { throw .malformedRecord(at: position) }
      kind = number
    default: break
    }
  }

  func special32() throws(EntityError) -> Bytes32 {
    guard let special else { throw .missingRecord(type: Records.special) }
    guard let value = Bytes32(special) else { throw .wrongLength(special.count) }
    return value
  }
}

extension NIP19 {
  static func readProfile(_ bytes: UnsafeRawBufferPointer) throws(EntityError) -> NIP19 {
    let records = try FoundRecords(bytes)
    return .profile(PublicKey(try records.special32()), relays: records.relays)
  }

  static func readEvent(_ bytes: UnsafeRawBufferPointer) throws(EntityError) -> NIP19 {
    let records = try FoundRecords(bytes)
    return .event(try records.special32(), relays: records.relays, author: records.author, kind: records.kind)
  }

  static func readAddress(_ bytes: UnsafeRawBufferPointer) throws(EntityError) -> NIP19 {
    let records = try FoundRecords(bytes)
    guard let special = records.special else { throw .missingRecord(type: Records.special) }
    guard let identifier = String(validating: special, as: UTF8.self) else { throw .malformedRecord(at: 0) }
    guard let author = records.author else { throw .missingRecord(type: Records.author) }
    guard let kind = records.kind else { throw .missingRecord(type: Records.kind) }
    return .address(identifier: identifier, author: author, kind: kind, relays: records.relays)
  }
}
