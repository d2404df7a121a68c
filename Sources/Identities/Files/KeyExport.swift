import Curve
import Encodings
import JSON
import Nostr
import SecretMemory

/// Keys inside a file that this or another program exported, not opened yet.
struct KeyExport {
  /// More keys than anybody has in one file.
  static let mostKeys = 1000

  /// One key as the file holds it.
  struct Entry {
    enum Content {
      /// An nsec, hex digits or an ncryptsec.
      case text(SecretBox)
      /// Under AES-256-GCM and PBKDF2 of a PIN, as nos2x-fox does.
      case fox(Nos2xFox.Sealed)
      /// Under AES-256-CBC and SHA-256 of a passphrase, as nsecbunkerd does.
      case bunker(NsecBunker.Sealed)
    }

    var name: String?
    var publicKey: PublicKey?
    var content: Content?
    var relays: [String] = []
    /// Words that are sealed to the key itself (NIP-44), as Amber does.
    var sealedWords: [UInt8] = []
  }

  let form: KeyForm
  private let source: Source

  private enum Source {
    case keyFile(KeyFile)
    case keep(KeepBackup)
    case entries([Entry])
  }

  /// - Parameter bytes: a file from a stranger, perhaps.
  /// - Throws: `.badKey(.file)` naming what is wrong.
  init(_ bytes: UnsafeRawBufferPointer, _ form: KeyForm) throws(IdentityError) {
    self.form = form
    switch form {
    case .keyFile: source = .keyFile(try KeyFile(parsing: bytes))
    case .keep: source = .keep(try KeepBackup(parsing: bytes))
    case .amber: source = .entries(try Amber.entries(in: bytes))
    case .nos2xFox: source = .entries([try Nos2xFox.entry(in: bytes)])
    case .nsecBunker: source = .entries(try NsecBunker.entries(in: bytes))
    case .nsec, .hex, .ncryptsec, .mnemonic: throw .badKey(.unknownFormat)
    }
  }

  /// Opens the one key that is meant.
  func key(_ help: ImportHelp) throws(IdentityError) -> KeyText {
    switch source {
    case .keyFile(let file): try file.key(help)
    case .keep(let backup): try Self.open(Self.pick(help.pick, from: try backup.entries(help.password)), form, help)
    case .entries(let entries): try Self.open(Self.pick(help.pick, from: entries), form, help)
    }
  }

  private static func pick(_ wanted: String?, from entries: [Entry]) throws(IdentityError) -> Entry {
    guard let wanted else {
      guard entries.count == 1, let only = entries.first else { throw .badKey(.severalKeys(count: entries.count)) }
      return only
    }
    let key = PublicKey(npubOrHex: wanted)
    if let named = entries.first(where: { $0.name == wanted || $0.publicKey != nil && $0.publicKey == key }) { return named }
    guard wanted.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(wanted), entries.indices.contains(number - 1)
    else { throw .badKey(.noSuchKeyInside) }
    return entries[number - 1]
  }

  private static func open(_ entry: Entry, _ form: KeyForm, _ help: ImportHelp) throws(IdentityError) -> KeyText {
    var found: KeyText
    switch entry.content {
    case .text(let text): found = try text.withBytes { bytes throws(IdentityError) in try key(bytes, form, help) }
    case .fox(let sealed):
      let text = try sealed.open(help.password)
      found = try text.withBytes { bytes throws(IdentityError) in try key(bytes, form, help) }
    case .bunker(let sealed):
      let text = try sealed.open(help.password)
      found = try text.withBytes { bytes throws(IdentityError) in try key(bytes, form, help) }
    case nil: throw .badKey(.file(form, "the key"))
    }
    found.origin = form.origin
    let pair: KeyPair
    do { pair = try KeyPair(found.key) } catch { throw .outOfMemory }
    if let claimed = entry.publicKey, claimed != pair.publicKey { throw .badKey(.otherPublicKey(form)) }
    found.take(words: entry.sealedWords, of: pair)
    // What another program wrote down is a help, no promise: relays that cannot be read are left out.
    try? found.details.set(relays: Array(entry.relays.filter(IdentityDetails.isRelay).prefix(IdentityDetails.mostRelays)))
    return found
  }

  /// The text of one key: no words and no file within a file.
  private static func key(_ bytes: UnsafeRawBufferPointer, _ form: KeyForm, _ help: ImportHelp) throws(IdentityError) -> KeyText {
    switch KeyText.form(of: bytes) {
    case .nsec?, .ncryptsec?, .hex?: try KeyText.read(bytes, help)
    default: throw .badKey(.file(form, "the key"))
    }
  }
}

extension KeyForm {
  fileprivate var origin: Identity.Origin {
    switch self {
    case .nsec: .importedNsec
    case .hex: .importedHex
    case .ncryptsec: .importedNcryptsec
    case .mnemonic: .importedMnemonic
    case .keyFile: .importedKeyFile
    case .amber: .importedAmber
    case .nos2xFox: .importedNos2xFox
    case .nsecBunker: .importedNsecBunker
    case .keep: .importedKeep
    }
  }
}

extension KeyText {
  /// Keeps words that are sealed to the key itself, if it really comes from them (account 0, no passphrase). Without, the key
  /// alone is taken.
  fileprivate mutating func take(words payload: [UInt8], of pair: KeyPair) {
    guard !payload.isEmpty, let conversation = try? ConversationKey(pair, pair.publicKey),
      let text = try? NIP44.decryptSecret(payload, with: conversation), let box = try? SecretBox(text.duplicate()),
      let read = try? KeyText(words: box, ImportHelp(), .importedMnemonic),
      let derived = try? KeyPair(read.key), derived.publicKey == pair.publicKey
    else { return }
    (account, words) = (read.account, read.words)
  }
}
