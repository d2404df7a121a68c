import Ciphers
import Encodings
package import SecretMemory

// The list of revocations beside backups, for docs/FORMATS.md; numbers big-endian.
//
//   8  magic "HFREVOKE"     4  format version, 1     16  the vault's id     24  nonce, random
//
// then, sealed with XChaCha20-Poly1305 under the list's key, with all before it as associated data:
//   8  number of the vault's last backup     8  written at (milliseconds since 1970)     4  entries
//   each entry, in rising order of its key:  32 remote-signer key · 8 ended at (milliseconds since 1970) · 1 how
//   zeros to a multiple of 4,096 bytes: how many there are shows only roughly

/// The ended pairings of a vault, stored beside its backups, because a backup cannot know what happened after it.
///
/// Entries are only ever added, so the list with fewer entries is the older one.
package struct RevocationList: Sendable, Equatable {
  /// The most entries; of more the latest are taken.
  package static let maximumEntries = 65_536
  /// The longest list, in bytes.
  package static let maximumLength = clearLength + paddedLength(maximumEntries) + 16
  private static let magic = Array("HFREVOKE".utf8)
  private static let version: UInt32 = 1
  private static let clearLength = 8 + 4 + 16 + 24
  private static let fixedLength = 8 + 8 + 4

  /// One pairing that ended.
  package struct Entry: Sendable, Equatable {
    fileprivate static let length = 32 + 8 + 1
    /// The pairing's remote-signer key, 32 bytes.
    package let key: [UInt8]
    /// Milliseconds since 1970-01-01 UTC.
    package let time: Int64
    /// Who ended it. A value of a later version is kept.
    package let ending: UInt8

    package init(key: [UInt8], time: Int64, ending: UInt8) { (self.key, self.time, self.ending) = (key, time, ending) }
  }

  /// The number of the vault's last backup when it was written.
  package let number: UInt64
  /// Milliseconds since 1970-01-01 UTC.
  package let writtenAt: Int64
  /// In rising order of their keys, none twice.
  package let entries: [Entry]

  /// - Parameter entries: in any order, each key once.
  package init(number: UInt64, writtenAt: Int64, entries: [Entry]) {
    (self.number, self.writtenAt) = (number, writtenAt)
    let latest = entries.count <= Self.maximumEntries ? entries : entries.sorted { $0.time > $1.time }
    self.entries = latest.prefix(Self.maximumEntries).sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// The file's bytes.
  /// - Parameters:
  ///   - vaultID: 16 bytes.
  ///   - key: 32 bytes.
  package func sealed(for vaultID: [UInt8], under key: SecretBox) throws(VaultError) -> [UInt8] {
    let nonce = SystemRandom.bytes(24)
    var clear = Self.magic
    clear.append(bigEndian: Self.version)
    clear += vaultID + nonce
    let contents = contents
    return clear
      + (try vaultFault(.outOfMemory) {
        try key.withBytes { key in
          try contents.withUnsafeBytes { try ChaChaPoly.seal($0, key: key, nonce: nonce, associated: clear) }
        }
      })
  }

  /// Opens the bytes of a file, which may be a stranger's.
  package init(opening bytes: [UInt8], of vaultID: [UInt8], under key: SecretBox) throws(RevocationListError) {
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    var reader = ByteReader(bytes[...])
    guard let magic = reader.take(8), Array(magic) == Self.magic, let version: UInt32 = reader.integer() else { throw .notAList }
    guard version == Self.version else { throw version > Self.version ? .newerVersion(found: version) : .damaged }
    guard let id = reader.take(16), let nonce = reader.take(24) else { throw .damaged }
    guard Array(id) == vaultID else { throw .otherVault }
    let (sealed, clear, nonceBytes) = (Array(reader.rest), Array(bytes.prefix(Self.clearLength)), Array(nonce))
    let opened = key.withBytes { key in
      sealed.withUnsafeBytes { try? ChaChaPoly.openPublic($0, key: key, nonce: nonceBytes, associated: clear) }
    }
    guard let opened, let list = RevocationList(contents: opened) else { throw .damaged }
    self = list
  }

  private static func paddedLength(_ entries: Int) -> Int { (fixedLength + entries * Entry.length + 4095) / 4096 * 4096 }

  /// What is sealed.
  package var contents: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: number)
    bytes.append(bigEndian: writtenAt)
    bytes.append(bigEndian: UInt32(entries.count))  // the most fit
    for entry in entries {
      bytes += entry.key
      bytes.append(bigEndian: entry.time)
      bytes.append(entry.ending)
    }
    return bytes + [UInt8](repeating: 0, count: Self.paddedLength(entries.count) - bytes.count)
  }

  /// - Returns: nil for bytes that `contents` does not give.
  package init?(contents bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let number: UInt64 = reader.integer(), let writtenAt: Int64 = reader.integer(), let count: UInt32 = reader.integer(),
      count <= UInt32(Self.maximumEntries), bytes.count == Self.paddedLength(Int(count))
    else { return nil }
    var entries: [Entry] = []
    for _ in 0..<Int(count) {
      guard let key = reader.take(32), let time: Int64 = reader.integer(), let ending = reader.byte(),
        entries.last.map({ $0.key.lexicographicallyPrecedes(key) }) ?? true
      else { return nil }
      entries.append(Entry(key: Array(key), time: time, ending: ending))
    }
    guard reader.rest.allSatisfy({ $0 == 0 }) else { return nil }
    (self.number, self.writtenAt, self.entries) = (number, writtenAt, entries)
  }
}

/// Why a list of revocations is not taken.
package enum RevocationListError: Error, Sendable, Equatable {
  case notAList
  case newerVersion(found: UInt32)
  /// It is of another vault.
  case otherVault
  /// It is not what was written under this vault's key.
  case damaged
  /// It is longer than any list.
  case tooLong
}
