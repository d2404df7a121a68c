internal import CLinux
internal import Curve
internal import Encodings
internal import Mnemonics
internal import Nostr
internal import SecretMemory

/// A secret key read from what somebody typed or piped in.
struct KeyText: ~Copyable {
  /// The longest text, in bytes: 24 words in any language fit.
  static let maximumLength = 4096

  let key: SecretKey
  let origin: Identity.Origin
  let account: UInt32?
  /// The words in normal form, when the key came from words.
  let words: SecretBox?
  let hasPassphrase: Bool

  /// - Throws: `.badKey`, `.outOfMemory`.
  init(parsing text: borrowing SecretBytes, with help: ImportHelp) throws(VaultError) {
    guard text.count <= Self.maximumLength else { throw .badKey(.tooLong(limit: Self.maximumLength)) }
    self = try text.withBytes { bytes throws(VaultError) in try KeyText(Self.trimmed(bytes), help) }
  }

  /// Fresh: twelve words and the key of account 0.
  init(random: Void, origin: Identity.Origin = .created) throws(VaultError) {
    do {
      try self.init(Mnemonic.random(), ImportHelp(), origin)
    } catch let error as VaultError {
      throw error
    } catch { throw .outOfMemory }
  }

  /// Found by a search.
  init(found bytes: consuming SecretBytes) throws(VaultError) {
    do { try self.init(SecretKey(bytes), .vanity) } catch { throw error == .outOfMemory ? .outOfMemory : .badKey(.notAKey(.hex)) }
  }

  private init(_ bytes: UnsafeRawBufferPointer, _ help: ImportHelp) throws(VaultError) {
    switch Self.form(of: bytes) {
    case .nsec?:
      let key: SecretKey
      do { key = try NIP19.secretKey(parsing: bytes) } catch { throw Self.fault(.nsec, error) }
      self.init(key, .importedNsec)
    case .hex?: self.init(try Self.key(hex: bytes), .importedHex)
    case .ncryptsec?:
      guard let password = help.password else { throw .badKey(.needsPassword) }
      defer { holdfast_give_memory_back() }
      let key: SecretKey
      do {
        key = try password.withBytes { password throws(EntityError) in try NIP49.decrypt(bytes, password: password) }
      } catch { throw Self.fault(.ncryptsec, error) }
      self.init(key, .importedNcryptsec)
    case .mnemonic?:
      let words = try vaultFault(.outOfMemory) { SecretBox(try SecretBytes(copying: bytes)) }
      do {
        try self.init(Mnemonic(words: words.duplicate()), help, .importedMnemonic)
      } catch let error as MnemonicError {
        throw error == .outOfMemory ? .outOfMemory : .badKey(.words(error))
      } catch let error as VaultError { throw error } catch { throw .outOfMemory }
    case nil: throw .badKey(Self.isPublic(bytes) ? .isPublicKey : .unknownFormat)
    }
  }

  private init(_ mnemonic: consuming Mnemonic, _ help: ImportHelp, _ origin: Identity.Origin) throws {
    let seed: SecretBytes
    if let passphrase = help.passphrase {
      seed = try mnemonic.seed(passphrase: passphrase.duplicate())
    } else {
      seed = try mnemonic.seed()
    }
    guard help.account < ChildIndex.hardenedStart else { throw VaultError.badKey(.accountOutOfRange) }
    self.init(
      try NIP06.secretKey(seed: seed, account: help.account), origin, account: help.account,
      words: SecretBox(try mnemonic.words()), hasPassphrase: help.passphrase != nil)
  }

  private init(
    _ key: consuming SecretKey, _ origin: Identity.Origin, account: UInt32? = nil, words: SecretBox? = nil,
    hasPassphrase: Bool = false
  ) {
    self.key = key
    (self.origin, self.account, self.words, self.hasPassphrase) = (origin, account, words, hasPassphrase)
  }
}

extension KeyText {
  private static func form(of bytes: UnsafeRawBufferPointer) -> KeyForm? {
    if bytes.contains(where: { isSpace($0) || $0 >= 0x80 }) { return .mnemonic }
    if hasPrefix(bytes, "nsec1") { return .nsec }
    if hasPrefix(bytes, "ncryptsec1") { return .ncryptsec }
    return bytes.count == 64 && bytes.allSatisfy { Hex.value(of: $0) != nil } ? .hex : nil
  }

  private static func isPublic(_ bytes: UnsafeRawBufferPointer) -> Bool {
    hasPrefix(bytes, "npub1") || hasPrefix(bytes, "nprofile1")
  }

  /// Bech32 may be all upper case.
  private static func hasPrefix(_ bytes: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      bytes.count >= prefix.count && zip(bytes, prefix).allSatisfy { $0 == $1 || ($1 >= 0x61 && $0 == $1 - 0x20) }
    }
  }

  private static func key(hex: UnsafeRawBufferPointer) throws(VaultError) -> SecretKey {
    let secret: SecretBytes
    do {
      secret = try SecretBytes(count: 32) { (target) throws(Never) in
        for index in 0..<32 {
          target[index] = (Hex.value(of: hex[2 * index]) ?? 0) << 4 | (Hex.value(of: hex[2 * index + 1]) ?? 0)  // 64 digits, seen
        }
      }
    } catch { throw .outOfMemory }
    do { return try SecretKey(secret) } catch { throw error == .outOfMemory ? .outOfMemory : .badKey(.notAKey(.hex)) }
  }

  private static func fault(_ form: KeyForm, _ error: EntityError) -> VaultError {
    switch error {
    case .outOfMemory: .outOfMemory
    case .wrongPassword: .badKey(.wrongPassword)
    case .invalidSecretKey: .badKey(.notAKey(form))
    default: .badKey(.text(form, error))
    }
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var rest = bytes[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return UnsafeRawBufferPointer(rebasing: rest)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
