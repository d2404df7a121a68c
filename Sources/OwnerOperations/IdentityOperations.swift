internal import AuditLog
internal import Curve
internal import Encodings
import Identities
package import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import SecretMemory
internal import Signer
package import Vault

extension Operations {
  package func createIdentity(_ given: Parameters) throws -> JSONValue {
    let new = try newIdentity(given)
    let words = Int(clamping: try given.optionalInteger("word_count") ?? 12)
    let held = try presence(given, isNeededFor: [new.protection])
    return try added(.identityCreated) {
      try core.identities.create(
        new, words: words, passphrase: given.secret("words_passphrase"), by: held, now: Clock.milliseconds)
    }
  }

  func importIdentity(_ given: Parameters) throws -> JSONValue {
    let new = try newIdentity(given)
    guard let key = given.secret("key") else {
      throw OperationError.usage("There is no key to import.", hint: "It is read from standard input.")
    }
    let account = UInt32(clamping: try given.optionalInteger("account") ?? 0)
    let held = try presence(given, isNeededFor: [new.protection])
    let help = ImportHelp(
      password: given.secret("password"), passphrase: given.secret("words_passphrase"), account: account,
      pick: try given.optionalText("pick"))
    return try added(.identityImported) {
      try core.identities.importKey(key.duplicate(), as: new, help: help, by: held, now: Clock.milliseconds)
    }
  }

  /// Another account of words that are here.
  func deriveIdentity(_ given: Parameters) throws -> JSONValue {
    let source = try identity(named: given.text("from"))
    guard source.words != nil else { throw OperationError.noWords(source.name) }
    let new = try newIdentity(given, like: source)
    let account = try given.optionalInteger("account").map { UInt32(clamping: $0) }
    let held = try presence(given, isNeededFor: [source.protection, new.protection])
    return try added(.identityCreated) {
      try core.identities.derive(
        from: source.publicKey, account: account, as: new, passphrase: given.secret("words_passphrase"), by: held,
        now: Clock.milliseconds)
    }
  }

  private func newIdentity(_ given: Parameters, like source: Identity? = nil) throws -> NewIdentity {
    NewIdentity(
      try given.text("name"), protection: try given.protection() ?? source?.protection ?? .whenUnlocked,
      details: try given.details())
  }

  func listIdentities() -> JSONValue {
    .object([.init("identities", .array(core.identities.all.map { describe($0) }))])
  }

  func showIdentity(_ given: Parameters) throws -> JSONValue {
    describe(try identity(named: given.optionalText("name")))
  }

  func renameIdentity(_ given: Parameters) throws -> JSONValue {
    let identity = try identity(named: given.text("name"))
    let name = try given.text("to")
    let renamed = try core.outbox.recording(.event(.identityRenamed, identity: identity.publicKey)) {
      try core.identities.rename(identity.publicKey, to: name)
    }
    return describe(renamed)
  }

  func setDefaultIdentity(_ given: Parameters) throws -> JSONValue {
    let identity = try usedIdentity(named: given.text("name"))
    try core.outbox.recording(.event(.identityDefaultChanged, identity: identity.publicKey)) {
      try core.identities.setDefault(identity.publicKey)
    }
    return describe(identity)
  }

  // MARK: help for the others

  /// The identity of that name, npub or hex; without one, the default.
  package func identity(named name: String?) throws -> Identity {
    if let name {
      guard let identity = core.identities.find(name) else {
        throw OperationError.notFound("There is no identity of that name here.", hint: "See: holdfast identity list")
      }
      return identity
    }
    guard let identity = core.identities.defaultIdentity else {
      throw OperationError.notFound("This vault holds no identity yet.", hint: "Make one: holdfast identity create NAME")
    }
    return identity
  }

  /// As above, for what uses its key: not one that gave way to another.
  func usedIdentity(named name: String?) throws -> Identity {
    let identity = try identity(named: name)
    if core.isRetired(identity.publicKey) { throw OperationError.retired(identity.name) }
    return identity
  }

  func name(ofIdentity key: PublicKey) -> String {
    core.identities.all.first { $0.publicKey == key }?.name ?? key.hex
  }

  /// A new identity, stored with what the log says of it.
  func added(_ kind: AuditEntry.Kind, _ make: () throws -> Identity) throws -> JSONValue {
    let identity = try core.outbox.recordingIdentity({ [.added($0, as: kind)] }, body: make)
    try core.loadIdentities()
    core.signerEvents.tell(.identitiesChanged)
    return describe(identity)
  }
}
