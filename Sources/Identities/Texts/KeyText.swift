import CLinux
import Curve
import Encodings
import Mnemonics
import Nostr
import SecretMemory

/// A secret key read from what somebody typed or piped in, or from a file.
struct KeyText: ~Copyable {
  /// The longest text of one key, in bytes: 24 words in any language fit.
  static let maximumLength = 4096
  /// The largest file, in bytes: other signers keep pictures' addresses and permissions beside the key.
  static let maximumFileLength = 256 << 10

  let key: SecretKey
  var origin: Identity.Origin
  var account: UInt32?
  /// The words in normal form, when the key came from words.
  var words: SecretBox?
  var hasPassphrase = false
  /// What an `ncryptsec` said of the key's past.
  var security: NIP49.Security?
  /// What the file knows beside the key.
  var details = IdentityDetails()

  /// - Throws: `.badKey`, `.outOfMemory`.
  static func parsing(_ text: borrowing SecretBytes, with help: ImportHelp) throws(IdentityError) -> KeyText {
    guard text.count <= maximumFileLength else { throw .badKey(.tooLong(limit: maximumFileLength)) }
    return try text.withBytes { bytes throws(IdentityError) in
      // White space around a text does not belong to it. A file that is not text keeps all its bytes.
      try read(KeepBackup.isOne(bytes) ? bytes : trimmed(bytes), help)
    }
  }

  /// Fresh: words, and the key of account 0.
  init(random wordCount: Int, passphrase: SecretBox?, origin: Identity.Origin = .created) throws(IdentityError) {
    do {
      try self.init(Mnemonic.random(wordCount: wordCount), ImportHelp(passphrase: passphrase), origin)
    } catch let error as IdentityError {
      throw error
    } catch let error as MnemonicError {
      throw error == .outOfMemory ? .outOfMemory : .badKey(.words(error))
    } catch { throw .outOfMemory }
  }

  static func read(_ bytes: UnsafeRawBufferPointer, _ help: ImportHelp) throws(IdentityError) -> KeyText {
    let form = form(of: bytes)
    guard form?.isFile == true || bytes.count <= maximumLength else { throw .badKey(.tooLong(limit: maximumLength)) }
    switch form {
    case .nsec?:
      do { return KeyText(try NIP19.secretKey(parsing: bytes), .importedNsec) } catch { throw fault(.nsec, error) }
    case .hex?: return KeyText(try key(hex: bytes, of: .hex), .importedHex)
    case .ncryptsec?: return try KeyText(ncryptsec: bytes, help)
    case .mnemonic?:
      let words = try keyStep(.outOfMemory) { SecretBox(try SecretBytes(copying: bytes)) }
      return try KeyText(words: words, help, .importedMnemonic)
    case let form?: return try KeyExport(bytes, form).key(help)
    case nil: throw .badKey(isPublic(bytes) ? .isPublicKey : .unknownFormat)
    }
  }

  /// Words that a person or a file gave.
  init(words: SecretBox, _ help: ImportHelp, _ origin: Identity.Origin) throws(IdentityError) {
    do {
      try self.init(Mnemonic(words: words.duplicate()), help, origin)
    } catch let error as MnemonicError {
      throw error == .outOfMemory ? .outOfMemory : .badKey(.words(error))
    } catch let error as IdentityError { throw error } catch { throw .outOfMemory }
  }

  /// 32 bytes that this program made itself.
  init(found bytes: consuming SecretBytes, _ origin: Identity.Origin) throws(IdentityError) {
    do { self.init(try SecretKey(bytes), origin) } catch { throw error == .outOfMemory ? .outOfMemory : .badKey(.notAKey(.hex)) }
  }

  init(_ key: consuming SecretKey, _ origin: Identity.Origin) {
    self.key = key
    self.origin = origin
  }

  private init(_ mnemonic: consuming Mnemonic, _ help: ImportHelp, _ origin: Identity.Origin) throws {
    let words = SecretBox(try mnemonic.words())
    let accounts = try WordAccounts(mnemonic, passphrase: help.passphrase)
    self.init(try accounts.key(help.account), origin)
    (account, self.words, hasPassphrase) = (help.account, words, help.passphrase != nil)
  }

  private init(ncryptsec bytes: UnsafeRawBufferPointer, _ help: ImportHelp) throws(IdentityError) {
    guard let password = help.password else { throw .badKey(.needsPassword) }
    defer { holdfast_give_memory_back() }
    let key: SecretKey
    let header: NIP49.Header
    do throws(EntityError) {
      header = try NIP49.header(of: bytes)
      key = try password.withBytes { password throws(EntityError) in try NIP49.decrypt(bytes, password: password) }
    } catch { throw Self.fault(.ncryptsec, error) }
    self.init(key, .importedNcryptsec)
    security = header.security
  }
}
