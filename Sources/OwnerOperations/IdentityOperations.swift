import AuditLog
import Curve
package import Identities
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

extension Operations {
  static let identityHandlers: [OperationHandler] = [
    .init(IdentityCreate.self) { try $0.createIdentity($1, $2) },
    .init(IdentityImport.self) { try $0.importIdentity($1, $2) },
    .init(IdentityDerive.self) { try $0.deriveIdentity($1, $2) },
    .init(IdentityList.self) { operations, _, _ in operations.listIdentities() },
    .init(IdentityShow.self) { operations, request, _ in
      operations.describe(try operations.identity(named: request.name))
    },
    .init(IdentityRename.self) { operations, request, _ in try operations.renameIdentity(request) },
    .init(IdentityDefault.self) { operations, request, _ in try operations.setDefaultIdentity(request) },
    .init(IdentitySet.self) { operations, request, _ in try operations.setIdentity(request) },
    .init(IdentityClass.self) { try $0.setIdentityClass($1, $2) },
    .init(IdentityDelete.self) { try $0.deleteIdentity($1, $2) },
    .init(IdentityExport.self) { try $0.exportIdentity($1, $2) },
    .init(IdentityVanity.self) { operations, request, _ in try operations.keepFoundKey(request) },
    .init(IdentityAccounts.self) { try $0.scanAccounts($1, $2) },
    .init(IdentityReceipt.self) { operations, request, _ in try operations.identityReceipt(request) },
    .init(IdentityResetEvent.self) { operations, request, _ in try operations.resetEvent(request) },
    .init(IdentityRotate.self) { try $0.rotateIdentity($1, $2) },
    .init(IdentityRotation.self) { operations, request, _ in try operations.listRotations(request) },
    .init(IdentitySuccession.self) { try $0.prepareSuccession($1, $2) },
  ]

  /// Makes an identity of the usual class with new words.
  package func createIdentity(named name: String) throws {
    var request = IdentityCreate.Request()
    request.identity.name = name
    _ = try createIdentity(request, OperationCall(IdentityCreate.call(request), via: .command))
  }

  private func createIdentity(_ request: IdentityCreate.Request, _ call: OperationCall) throws -> IdentitySummary {
    let new = try newIdentity(request.identity)
    let words = Int(clamping: try request.wordCount.natural("word_count") ?? 12)
    let held = try presence(call, isNeededFor: [new.protection])
    return try added(.identityCreated) {
      try home.identities.create(
        new, words: words, passphrase: request.wordsPassphrase, by: held, now: Clock.milliseconds)
    }
  }

  private func importIdentity(_ request: IdentityImport.Request, _ call: OperationCall) throws -> IdentitySummary {
    let new = try newIdentity(request.identity)
    guard let key = request.key else {
      throw OperationError.usage("There is no key to import.", hint: "Give the key on standard input.")
    }
    let account = UInt32(clamping: try request.account.natural("account") ?? 0)
    let held = try presence(call, isNeededFor: [new.protection])
    let help = ImportHelp(
      password: request.password, passphrase: request.wordsPassphrase, account: account, pick: request.pick,
      takesPublished: request.isPublicAccepted)
    return try added(.identityImported) {
      try home.identities.importKey(key.duplicate(), as: new, help: help, by: held, now: Clock.milliseconds)
    }
  }

  /// Makes an identity from another account of words that are here.
  private func deriveIdentity(_ request: IdentityDerive.Request, _ call: OperationCall) throws -> IdentitySummary {
    let source = try identity(named: request.from)
    guard source.words != nil else { throw OperationError.noWords(source.name) }
    let new = try newIdentity(request.identity, like: source)
    let account = try request.account.natural("account").map { UInt32(clamping: $0) }
    let held = try presence(call, isNeededFor: [source.protection, new.protection])
    return try added(.identityCreated) {
      try home.identities.derive(
        from: source.publicKey, account: account, as: new, passphrase: request.wordsPassphrase, by: held,
        now: Clock.milliseconds)
    }
  }

  private func newIdentity(_ draft: IdentityDraft, like source: Identity? = nil) throws -> NewIdentity {
    NewIdentity(
      draft.name, protection: draft.protection.map(ProtectionClass.init) ?? source?.protection ?? .whenUnlocked,
      details: try draft.details())
  }

  private func listIdentities() -> IdentityList.Response {
    var response = IdentityList.Response()
    response.identities = home.identities.all.map(describe)
    return response
  }

  private func renameIdentity(_ request: IdentityRename.Request) throws -> IdentitySummary {
    let identity = try identity(named: request.identity.name)
    let renamed = try home.outbox.recording(.event(.identityRenamed, identity: identity.publicKey)) {
      try home.identities.rename(identity.publicKey, to: request.to)
    }
    return describe(renamed)
  }

  private func setDefaultIdentity(_ request: IdentityName) throws -> IdentitySummary {
    let identity = try usedIdentity(named: request.name)
    try home.outbox.recording(.event(.identityDefaultChanged, identity: identity.publicKey)) {
      try home.identities.setDefault(identity.publicKey)
    }
    return describe(identity)
  }

  /// Sets colour, emoji, relays and notes. Members that are not given keep their value.
  private func setIdentity(_ request: IdentitySet.Request) throws -> IdentitySummary {
    let identity = try identity(named: request.identity.name)
    let details = try request.details(over: identity.details)
    guard details != identity.details else { return describe(identity) }
    // Under medium trust, logins to the identity's relays are allowed.
    if !Set(details.relays).isSubset(of: identity.details.relays) { try allowMore() }
    let changed = try home.outbox.recording(.event(.identityChanged, identity: identity.publicKey, rule: "details")) {
      try home.identities.set(details, of: identity.publicKey)
    }
    home.signerEvents.tell(.identitiesChanged)
    return describe(changed)
  }

  // MARK: help for the others

  /// The identity with that name, npub or hex. Without one, the default identity.
  package func identity(named name: String?) throws -> Identity {
    if let name {
      guard let identity = home.identities.find(name) else {
        throw OperationError.noIdentity(named: name, among: home.identities.all.map(\.name))
      }
      return identity
    }
    guard let identity = home.identities.defaultIdentity else {
      throw OperationError.notFound("This vault has no identity yet.", hint: "To make one: holdfast identity create NAME")
    }
    return identity
  }

  /// The same for operations that use the key. An identity whose key was replaced by another is refused.
  func usedIdentity(named name: String?) throws -> Identity {
    let identity = try identity(named: name)
    if home.isRetired(identity.publicKey) { throw OperationError.retired(identity.name) }
    return identity
  }

  func name(ofIdentity key: PublicKey) -> String {
    home.identities.all.first { $0.publicKey == key }?.name ?? key.hex
  }

  /// A new identity, stored together with its log entry.
  func added(_ kind: AuditEntry.Kind, _ make: () throws -> Identity) throws -> IdentitySummary {
    let identity = try home.outbox.recordingIdentity({ [.added($0, as: kind)] }, body: make)
    try home.loadIdentities()
    home.signerEvents.tell(.identitiesChanged)
    return describe(identity)
  }
}

extension OperationError {
  static func noWords(_ name: String) -> OperationError {
    .failed(
      "The key of “\(name)” did not come from words, so it has no other accounts.",
      hint: "To make one that does: holdfast identity create NAME")
  }
}
