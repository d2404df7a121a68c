import Ciphers
import Encodings
import SecretMemory

// The file `journal`, for docs/FORMATS.md: the head (52) and records. The head: `HFEXTJN` and a zero byte (8) · version (4) · revision of the
// state (8) · the journal's id (32). A record: length of what follows the next field (4) · the same with every bit turned over (4) ·
// nonce (24) · XChaCha20-Poly1305 of JSON, its associated data the head ‖ the record's number from 0 (8) ‖ the tag of the record before (16, zeros
// for the first).

/// What a journal begins with.
struct JournalHead: Equatable {
  static let length = 52
  private static let magic = Array("HFEXTJN\0".utf8)
  private static let version: UInt32 = 1

  let revision: UInt64
  let id: Bytes32

  init(revision: UInt64, id: Bytes32) { (self.revision, self.id) = (revision, id) }

  /// Nil for a file of another form.
  init?(_ file: [UInt8]) {
    var reader = ByteReader(file[...])
    guard reader.take(8).map(Array.init) == Self.magic, reader.integer() == Self.version, let revision: UInt64 = reader.integer(),
      let id = reader.bytes32()
    else { return nil }
    self.init(revision: revision, id: id)
  }

  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(bigEndian: Self.version)
    bytes.append(bigEndian: revision)
    return bytes + id.array
  }
}

/// Seals and opens the records of one journal, in their order.
struct JournalSeal {
  private static let purpose = Array("holdfast extension journal 1".utf8)
  private static let nonceLength = ChaChaPoly.Variant.xchacha.nonceLength
  /// What a record has before its nonce, in bytes.
  static let frame = 8
  /// The shortest record behind its frame, in bytes.
  static let shortest = nonceLength + ChaChaPoly.tagLength

  private let head: [UInt8]
  private let key: SecretBox
  private var number: UInt64 = 0
  private var before = [UInt8](repeating: 0, count: ChaChaPoly.tagLength)

  init(_ head: JournalHead, _ key: ExtensionKey) throws(ExtensionError) {
    self.head = head.bytes
    self.key = SecretBox(try key.derived(for: Self.purpose))
  }

  private var associated: [UInt8] {
    var bytes = head
    bytes.append(bigEndian: number)
    return bytes + before
  }

  /// The next record, with its frame. It counts as written when `wrote` is called.
  func sealed(_ plaintext: [UInt8]) throws(ExtensionError) -> [UInt8] {
    let nonce = SystemRandom.bytes(Self.nonceLength)
    let box = plaintext.withUnsafeBytes { plaintext in
      key.withBytes { key in try? ChaChaPoly.seal(plaintext, key: key, nonce: nonce, associated: associated) }
    }
    guard let box, let length = UInt32(exactly: nonce.count + box.count) else { throw .outOfMemory }
    var record: [UInt8] = []
    record.append(bigEndian: length)
    record.append(bigEndian: ~length)
    return record + nonce + box
  }

  /// The next record was written, or read.
  mutating func wrote(_ record: some Collection<UInt8>) {
    number += 1
    before = Array(record.suffix(ChaChaPoly.tagLength))
  }

  /// Opens the next record.
  /// - Parameter record: without its frame, `shortest` bytes or more.
  /// - Returns: nil when it is not authentic here.
  mutating func open(_ record: ArraySlice<UInt8>) -> [UInt8]? {
    let nonce = Array(record.prefix(Self.nonceLength))
    let plaintext = record.dropFirst(Self.nonceLength).withUnsafeBytes { box in
      key.withBytes { key in try? ChaChaPoly.openPublic(box, key: key, nonce: nonce, associated: associated) }
    }
    if plaintext != nil { wrote(record) }
    return plaintext
  }
}
