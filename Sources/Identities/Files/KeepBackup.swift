import CLinux
import Ciphers
import Curve
import Encodings
import JSON
import SecretMemory

/// A backup of privkeyio's keep, version 1.
///
/// `KEEPBACK` · version (2) · flags (2), 0 · salt (32) · memory in KiB (4) · passes (4) · lanes (4), numbers little-endian · nonce (24) ·
/// 144 zero bytes · XChaCha20-Poly1305 under Argon2id of the passphrase, without associated data. Inside is JSON: `keys` lists
/// `pubkey`, `key_type`, `name`, `secret` (hex) and more. FROST shares and Bitcoin keys in it are left out.
struct KeepBackup {
  private static let magic: StaticString = "KEEPBACK"
  private static let headerLength = 224
  /// What keep itself accepts.
  private static let memory: ClosedRange<UInt32> = 64 << 10...256 << 10
  private static let passes: ClosedRange<UInt32> = 2...64
  private static let lanes: ClosedRange<UInt32> = 1...16

  private let salt: [UInt8]
  private let cost: (memory: UInt32, passes: UInt32, lanes: UInt32)
  private let nonce: [UInt8]
  private let sealed: [UInt8]

  static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
    magic.withUTF8Buffer { magic in bytes.count >= magic.count && zip(bytes, magic).allSatisfy { $0 == $1 } }
  }

  init(parsing bytes: UnsafeRawBufferPointer) throws(IdentityError) {
    guard Self.isOne(bytes), bytes.count > Self.headerLength + ChaChaPoly.tagLength else {
      throw .badKey(.file(.keep, "its length"))
    }
    func number(_ offset: Int) -> UInt32 { UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    guard number(8) == 1 else { throw .badKey(.file(.keep, "version")) }  // version 1, no flags
    salt = Array(bytes[12..<44])
    cost = (number(44), number(48), number(52))
    nonce = Array(bytes[56..<80])
    sealed = Array(bytes[Self.headerLength...])
    guard Self.memory.contains(cost.memory), Self.passes.contains(cost.passes), Self.lanes.contains(cost.lanes) else {
      throw .badKey(.costOutOfRange(.keep))
    }
  }

  /// The Nostr keys inside.
  func entries(_ password: SecretBox?) throws(IdentityError) -> [KeyExport.Entry] {
    guard let password else { throw .badKey(.needsPassword) }
    guard Argon2Lanes.isAvailable else { throw .badKey(.needsLibrary(Argon2Lanes.library)) }
    defer { holdfast_give_memory_back() }
    let plaintext = try keyStep(.badKey(.wrongPassword)) {
      let key = try password.withBytes {
        try Argon2Lanes.key(
          password: $0, salt: salt, memory: cost.memory, passes: cost.passes, lanes: cost.lanes, count: 32)
      }
      return try key.withBytes { key in
        try sealed.withUnsafeBytes { SecretBox(try ChaChaPoly.open($0, key: key, nonce: nonce, associated: [])) }
      }
    }
    return try plaintext.withBytes(Self.entries)
  }

  static func entries(in bytes: UnsafeRawBufferPointer) throws(IdentityError) -> [KeyExport.Entry] {
    var entries: [KeyExport.Entry] = []
    var json = try SecretJSON(bytes, .keep)
    try json.eachMember { json, key throws(IdentityError) in
      guard key.is("keys") else { return false }
      try json.eachElement { json throws(IdentityError) in
        guard entries.count < KeyExport.mostKeys else { throw IdentityError.badKey(.file(.keep, "the number of keys")) }
        if let entry = try Self.entry(&json) { entries.append(entry) }
      }
      return true
    }
    try json.end()
    return entries
  }

  /// - Returns: nil for what is no Nostr key.
  private static func entry(_ json: inout SecretJSON) throws(IdentityError) -> KeyExport.Entry? {
    var (entry, type): (KeyExport.Entry, String?) = (KeyExport.Entry(), nil)
    try json.eachMember { json, key throws(IdentityError) in
      if key.is("pubkey") {
        entry.publicKey = try json.text().flatMap { PublicKey(hex: $0) }
      } else if key.is("name") {
        entry.name = try json.text()
      } else if key.is("key_type") {
        type = try json.text()
      } else if key.is("secret") {
        entry.content = try json.secret().map { .text($0) }
      } else {
        return false
      }
      return true
    }
    return type == "Nostr" ? entry : nil
  }
}
