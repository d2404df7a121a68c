internal import AuditLog
internal import Curve
internal import Identities
internal import JSON
internal import Mnemonics
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

/// Putting shares together: to see that it works, or to have what they are for.
extension Operations {
  /// Shows that shares restore, by restoring: into a home of its own that is removed at once.
  func testKit(_ given: Parameters) throws -> JSONValue {
    let shares = try CombinedShares(given)
    let noted = try noted(shares)
    var missing: [Identity] = []
    let restores: RestoredThing
    if let key = try given.publicKey("npub") ?? noted?.identity {
      restores = try testKey(key, shares, noted, try given.account())
    } else if noted == nil, let key = try keyHere(shares) {
      restores = try testKey(key, shares, nil, nil)
    } else {
      restores = try testSlot(shares.secret, noted)
      missing = try Rehearsal(in: core.home).restoresVault(core, shares)
    }
    let now = Clock.seconds
    // Kits of other keys may have the same number: such shares say nothing of the kit that is noted here.
    let tested = noted.flatMap { $0.identity == restores.key ? $0 : nil }
    if var kit = tested {
      (kit.lastTested, kit.isHandedOut) = (now, true)
      try core.outbox.recording(.event(.recoveryTested, identity: restores.key)) {
        try core.vault.transaction([
          .put(.recoveryKit, kit.recordID, kit.record),
          .put(.testedClaim, Array("recovery \(kit.id)".utf8), Array("\(now)".utf8)),
        ])
      }
    } else {
      core.log.append(.event(.recoveryTested, identity: restores.key)) { _ in }
    }
    return .object([
      .init("kit", .string(shares.numbers.kit)), .init("restores", .string(restores.key.map(name(ofIdentity:)) ?? "vault")),
      .init("npub", restores.key.map { .string($0.npub) } ?? .null), .init("noted", .bool(tested != nil)),
      .init("without", Self.names(of: missing)), .init("tested", .integer(now)),
    ])
  }

  private func testKey(
    _ key: PublicKey, _ shares: CombinedShares, _ noted: RecoveryKit?, _ account: UInt32?
  ) throws -> RestoredThing {
    let account = account ?? noted?.account ?? core.identities.all.first { $0.publicKey == key }?.account
    guard try KitForm.of(shares.secret, giving: key, account: account) != nil else {
      noteWrongSharesOfKey()
      throw noted == nil ? OperationError.otherKey(key) : .otherSecret
    }
    try Rehearsal(in: core.home).restores(key, shares, account: account)
    return .identity(key)
  }

  /// The note of the kit that shares are of.
  /// - Throws: when it has a recovery code that was not given.
  private func noted(_ shares: CombinedShares) throws -> RecoveryKit? {
    let noted = try kits().first { $0.isKit(of: shares.numbers) }
    if noted?.hasCode == true, !shares.hasCode { throw OperationError.codeMissing }
    return noted
  }

  /// For shares of a kit that is noted nowhere here, made before a backup or elsewhere: the identity that they still fit.
  private func keyHere(_ shares: CombinedShares) throws -> PublicKey? {
    for identity in core.identities.all {
      let form = try KitForm.of(shares.secret, giving: identity.publicKey, account: identity.account ?? 0)
      if form != nil { return identity.publicKey }
    }
    return nil
  }

  /// Brings back the vault, or with the parameter `name` one identity: the key that `npub` names, and no other.
  func restoreKit(_ given: Parameters) throws -> JSONValue {
    guard let name = try given.optionalText("name") else { return try restoreVault(given) }
    let shares = try CombinedShares(given, leavingOut: true)
    let (named, account) = (try given.publicKey("npub"), try given.account())
    let noted = try noted(shares)
    if named == nil, case .slot? = noted?.content { throw OperationError.kitIsForTheVault }
    let form: KitForm
    if let key = named ?? noted?.identity {
      let account = account ?? (named == nil ? noted?.account : nil)
      guard let found = try KitForm.of(shares.secret, giving: key, account: account) else {
        throw OperationError.otherKey(key)
      }
      form = found
    } else {
      form = try unprovenForm(given, shares, account)
    }
    let text = try KitSecret.text(of: shares.secret, areWords: form != .key)
    let identity = try core.outbox.recordingIdentity({ [.event(.recoveryRestored, identity: $0.publicKey)] }) {
      try core.identities.importKey(text, name: name, help: ImportHelp(account: form.account ?? 0), now: Clock.milliseconds)
    }
    try core.loadIdentities()
    core.signerEvents.tell(.identitiesChanged)
    return .object([
      .init("restored", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)),
      .init("kit", .string(shares.numbers.kit)), .init("compared", .bool(named != nil || noted != nil)),
      .init("left_out", shares.leftOutJSON),
    ])
  }

  /// Any code, and any reading of the secret, gives some key: without an npub to compare with, the owner says that it is the right one.
  private func unprovenForm(
    _ given: Parameters, _ shares: CombinedShares, _ account: UInt32?
  ) throws -> KitForm {
    let possible = try KitForm.possible(of: shares.secret, areWords: given["words"]?.bool == true, account: account)
    guard let first = possible.first else { throw OperationError.neitherKeyNorWords }
    guard possible.count == 1, given["accept"]?.bool == true else {
      throw OperationError.unproven(possible.map { (key: $0.key, text: $0.form.text(secretLength: shares.secret.count)) })
    }
    return first.form
  }
}

extension KitForm {
  fileprivate var account: UInt32? { if case .words(let account) = self { account } else { nil } }
}

/// What shares turned out to be for.
enum RestoredThing {
  case vault
  case identity(PublicKey)

  var key: PublicKey? { if case .identity(let key) = self { key } else { nil } }
}

extension OperationError {
  static let otherSecret = failed(
    "These shares have the kit's number and fit together, but give something else than the kit was made for.",
    hint: "The recovery code is wrong, or they are of another kit that has the same number by chance, or forged.")
  static let kitIsForTheVault = failed(
    "These shares are of a kit for the whole vault.", hint: "Leave out the identity: holdfast recovery restore")
  static let opensNothing = failed(
    "These shares fit together, but open nothing in this vault.",
    hint:
      "If the kit has a recovery code, give it (--recovery-code). A kit of one identity is restored with the command on its pages."
  )
  static let codeMissing = failed(
    "This kit has a recovery code, and the shares alone do not open it.", hint: "Give it, too: --recovery-code")
  static let neitherKeyNorWords = failed(
    "What these shares give is neither a key nor words.", hint: "Are they of a kit for the vault?")

  /// - Parameter key: what the page, or the note of the kit, names.
  static func otherKey(_ key: PublicKey) -> OperationError {
    failed(
      "These shares do not give \(key.npub). Nothing was stored.",
      hint: """
        Compare the npub and the kit's number with the page. A kit with a recovery code needs it (--recovery-code), an account above \
        \(KitForm.accountsSearched - 1) has to be named (--account N).
        """)
  }

  /// - Parameter possible: what the shares may give.
  static func unproven(_ possible: [(key: PublicKey, text: String)]) -> OperationError {
    let keys = possible.map { "\($0.key.npub) (\($0.text))" }.joined(separator: " or ")
    return failed(
      "Nobody said which key these shares must give. They give \(keys). Nothing was stored.",
      hint: "Say which npub the page names: --npub NPUB. If it is neither, the kit has a recovery code or another account.")
  }
}

extension Parameters {
  /// A public key as npub or 64 hex digits; nil when none is given.
  fileprivate func publicKey(_ name: String) throws -> PublicKey? {
    guard let text = try optionalText(name) else { return nil }
    guard let key = PublicKey(npubOrHex: text) else { throw OperationError.notAnNpub }
    return key
  }

  /// The NIP-06 account that is named, below 2^31.
  fileprivate func account() throws -> UInt32? {
    guard let number = try optionalInteger("account") else { return nil }
    guard number < 0x8000_0000 else { throw OperationError.usage("An account is a number below 2147483648.") }
    return UInt32(number)  // checked
  }
}
