import Ciphers
import Curve
public import Encodings
import Platform
import RemoteSigning
import SecretMemory

// The file `state`, for docs/FORMATS.md: `HFEXTST` and a zero byte (8) · version (4) · nonce (24) · XChaCha20-Poly1305 of the plaintext, with
// the bytes before the nonce as associated data.

/// Sealing and opening.
extension ExtensionState {
  static let magic = Array("HFEXTST\0".utf8)
  static let version: UInt32 = 1
  private static let purpose = Array("holdfast extension state 1".utf8)
  private static let headLength = 12

  private static var head: [UInt8] {
    var head = magic
    head.append(bigEndian: version)
    return head
  }

  /// The state as the file `state`, encrypted and authenticated.
  /// - Parameter journal: the id of the journal that begins with this state.
  /// - Throws: `.tooLong(.state, …)`, `.outOfMemory`.
  public func sealed(with key: ExtensionKey, journal: Bytes32) throws(ExtensionError) -> [UInt8] {
    let plaintext = try plaintext(journal)
    let nonce = SystemRandom.bytes(ChaChaPoly.Variant.xchacha.nonceLength)
    let key = try key.derived(for: Self.purpose)
    let sealed = plaintext.withBytes { plaintext in
      key.withBytes { key in try? ChaChaPoly.seal(plaintext, key: key, nonce: nonce, associated: Self.head) }
    }
    guard let sealed else { throw .outOfMemory }
    guard Self.headLength + nonce.count + sealed.count <= Self.longest else { throw .tooLong(.state, limit: Self.longest) }
    return Self.head + nonce + sealed
  }

  private func plaintext(_ journal: Bytes32) throws(ExtensionError) -> SecretBytes {
    do {
      var counted = StateWriter()
      try write(to: &counted, journal)
      guard counted.count <= Self.longest else { throw ExtensionError.tooLong(.state, limit: Self.longest) }
      return try SecretBytes(count: counted.count) { target in
        var writer = StateWriter(into: target)
        try write(to: &writer, journal)
      }
    } catch let error as ExtensionError { throw error } catch { throw .outOfMemory }
  }

  /// Opens what `sealed` made.
  /// - Parameter sealed: the whole file. Any change of it is found.
  /// - Returns: the state, and the id of the journal that began with it.
  /// - Throws: `.tooLong`, `.unknownForm`, `.notAuthentic` or `.malformed` of `.state`; `.outOfMemory`.
  public static func open(
    _ sealed: [UInt8], with key: ExtensionKey
  ) throws(ExtensionError) -> (state: ExtensionState, journal: Bytes32) {
    guard sealed.count <= longest else { throw .tooLong(.state, limit: longest) }
    let nonceLength = ChaChaPoly.Variant.xchacha.nonceLength
    guard sealed.starts(with: head), sealed.count > headLength + nonceLength else { throw .unknownForm(.state) }
    let nonce = Array(sealed[headLength..<(headLength + nonceLength)])
    let key = try key.derived(for: purpose)
    return try sealed.withUnsafeBufferPointer { (bytes) throws(ExtensionError) in
      let box = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[(headLength + nonceLength)...])
      return try key.withBytes { (key) throws(ExtensionError) in try opened(box, key, nonce) }
    }
  }

  static func read(
    _ folder: ExtensionFolder, _ key: ExtensionKey
  ) throws(ExtensionError) -> (state: ExtensionState, journal: Bytes32) {
    try open(FileBytes.read(.state, of: folder, most: longest), with: key)
  }

  private static func opened(
    _ box: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ nonce: [UInt8]
  ) throws(ExtensionError) -> (state: ExtensionState, journal: Bytes32) {
    let plaintext: SecretBytes
    do throws(CipherError) { plaintext = try ChaChaPoly.open(box, key: key, nonce: nonce, associated: head) } catch {
      throw error == .notAuthentic ? .notAuthentic(.state) : .outOfMemory
    }
    return try plaintext.withBytes { (bytes) throws(ExtensionError) in
      var reader = StateReader(bytes)
      guard let read = try reader.state() else { throw .malformed(.state) }
      return read
    }
  }
}

/// The plaintext.
extension ExtensionState {
  private func write(to writer: inout StateWriter, _ journal: Bytes32) throws(CurveError) {
    writer.add(revision)
    writer.add(writtenAt)
    writer.add(journal)
    var flags: StateFlags = isSuspended ? .suspended : []
    if acceptsNIP04 { flags.insert(.nip04) }
    writer.add(flags.rawValue)
    for identity in identities { try Self.write(identity, to: &writer) }
    for pairing in pairings { try writer.field(.pairing, key: pairing.signer, pairing.value.record) }
    for link in links { try writer.field(.link, key: link.signer, link.value.record) }
    for ended in ended { try writer.field(.ended, key: ended.signer, ended.value.record) }
    writeRest(to: &writer)
  }

  private static func write(_ identity: Identity, to writer: inout StateWriter) throws(CurveError) {
    let (code, key): (UInt8, KeyPair?) =
      switch identity.hold {
      case .open(let key): (0, key)
      case .locked: (1, nil)
      case .presence: (2, nil)
      case .retired: (3, nil)
      }
    try writer.field(.identity, before: identity.publicKey.bytes.array + [code], key: key, Array(identity.name.utf8))
  }

  private func writeRest(to writer: inout StateWriter) {
    writer.field(.settings, [settings.record])
    for relay in ownersRelays { writer.field(.ownersRelay, [Array(relay.text.utf8)]) }
    for (signer, usage) in usage.sorted(by: { $0.key < $1.key }) {
      writer.field(.usage, [signer.bytes.array, usage.record(countedUpTo: writtenAt &* 1000)])
    }
    for (id, signed) in signed.sorted(by: { $0.key < $1.key }) { writer.field(.signed, [id.array, signed.record]) }
    for request in waiting { writer.field(.waiting, [request.record]) }
    writer.add(StateField.seen.rawValue)
    writer.add(UInt32(clamping: seen.count * 40))
    for request in seen {
      writer.add(request.id)
      writer.add(request.createdAt)
    }
  }
}
