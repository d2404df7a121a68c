import AuditLog
import Curve
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import Platform
import SecretMemory
import Signer
import Vault

/// Combines shares, to test them or to restore what they are for.
extension Operations {
  /// Shows that shares restore by restoring them into a temporary home.
  func testKit(_ request: RecoveryTest.Request) throws -> RecoveryTest.Response {
    let shares = try CombinedShares(request.shares)
    let noted = try noted(shares)
    var missing: [Identity] = []
    let restores: RestoredThing
    if let key = try Self.publicKey(request.npub) ?? noted?.identity {
      restores = try testKey(key, shares, noted, try Self.account(request.account))
    } else if noted == nil, let key = try keyHere(shares) {
      restores = try testKey(key, shares, nil, nil)
    } else {
      restores = try testSlot(shares.secret, noted)
      missing = try Rehearsal(in: home.folder).restoresVault(home, shares)
    }
    let now = Clock.seconds
    // Kits of other keys may have the same number. Such shares say nothing about the kit that is stored here.
    let tested = noted.flatMap { $0.identity == restores.key ? $0 : nil }
    try noteTested(tested, of: restores.key, now)
    var response = RecoveryTest.Response()
    (response.kit, response.isNoted, response.tested) = (shares.numbers.kit, tested != nil, now)
    (response.restores, response.npub) = (restores.key.map(name(ofIdentity:)) ?? "vault", restores.key?.npub)
    response.without = missing.map(\.name)
    return response
  }

  private func noteTested(_ kit: RecoveryKit?, of key: PublicKey?, _ now: Int64) throws {
    guard var kit else { return home.log.append(.event(.recoveryTested, identity: key)) { _ in } }
    (kit.lastTested, kit.isHandedOut) = (now, true)
    try home.outbox.recording(.event(.recoveryTested, identity: key)) {
      try home.vault.transaction([
        .put(.recoveryKit, kit.recordID, kit.record),
        .put(.testedClaim, Array("recovery \(kit.id)".utf8), Array("\(now)".utf8)),
      ])
    }
  }

  private func testKey(
    _ key: PublicKey, _ shares: CombinedShares, _ noted: RecoveryKit?, _ account: UInt32?
  ) throws -> RestoredThing {
    let account = account ?? noted?.account ?? home.identities.all.first { $0.publicKey == key }?.account
    guard try KitForm.of(shares.secret, giving: key, account: account) != nil else {
      noteWrongSharesOfKey()
      throw noted == nil ? OperationError.otherKey(key) : .otherSecret
    }
    try Rehearsal(in: home.folder).restores(key, shares, account: account)
    return .identity(key)
  }

  /// The stored kit that the shares belong to.
  /// - Throws: if it has a recovery code that was not given.
  private func noted(_ shares: CombinedShares) throws -> RecoveryKit? {
    let noted = try kits().first { $0.isKit(of: shares.numbers) }
    if noted?.hasCode == true, !shares.hasCode { throw OperationError.codeMissing }
    return noted
  }

  /// For shares of a kit that is not stored here, made before a backup or elsewhere: the identity that they still fit.
  private func keyHere(_ shares: CombinedShares) throws -> PublicKey? {
    for identity in home.identities.all {
      let form = try KitForm.of(shares.secret, giving: identity.publicKey, account: identity.account ?? 0)
      if form != nil { return identity.publicKey }
    }
    return nil
  }

  /// Restores the vault or, with a name, one identity: the key that `npub` names, and no other.
  func restoreKit(_ request: RecoveryRestore.Request) throws -> RecoveryRestore.Response {
    guard let name = request.name else { return try restoreVault(request) }
    let shares = try CombinedShares(request.shares, leavingOut: true)
    let named = try Self.publicKey(request.npub)
    let noted = try noted(shares)
    if named == nil, case .slot? = noted?.content { throw OperationError.kitIsForTheVault }
    let form = try form(of: shares, named, noted, request)
    let text = try KitSecret.text(of: shares.secret, areWords: form != .key)
    let identity = try home.outbox.recordingIdentity({ [.event(.recoveryRestored, identity: $0.publicKey)] }) {
      try home.identities.importKey(
        text, name: name, help: ImportHelp(account: form.account ?? 0, takesGuessable: true, takesPublished: true),
        now: Clock.milliseconds)
    }
    try home.loadIdentities()
    home.signerEvents.tell(.identitiesChanged)
    var response = RecoveryRestore.Response()
    (response.restored, response.npub) = (identity.name, identity.publicKey.npub)
    (response.kit, response.isCompared) = (shares.numbers.kit, named != nil || noted != nil)
    response.leftOut = shares.leftOut.map { Int64($0) }
    return response
  }

  private func form(
    of shares: CombinedShares, _ named: PublicKey?, _ noted: RecoveryKit?, _ request: RecoveryRestore.Request
  ) throws -> KitForm {
    let account = try Self.account(request.account)
    guard let key = named ?? noted?.identity else { return try unprovenForm(request, shares, account) }
    guard let form = try KitForm.of(shares.secret, giving: key, account: account ?? (named == nil ? noted?.account : nil)) else {
      throw OperationError.otherKey(key)
    }
    return form
  }

  /// Any code, and any form of the secret, gives some key. Without an npub to compare with, the owner must say that it is the
  /// right one.
  private func unprovenForm(
    _ request: RecoveryRestore.Request, _ shares: CombinedShares, _ account: UInt32?
  ) throws -> KitForm {
    let possible = try KitForm.possible(of: shares.secret, areWords: request.areWords, account: account)
    guard let first = possible.first else { throw OperationError.neitherKeyNorWords }
    guard possible.count == 1, request.isAccepted else {
      throw OperationError.unproven(possible.map { (key: $0.key, text: $0.form.text(secretLength: shares.secret.count)) })
    }
    return first.form
  }

  /// A public key from npub or 64 hex digits; nil if none is given.
  private static func publicKey(_ text: String?) throws(OperationError) -> PublicKey? {
    guard let text else { return nil }
    guard let key = PublicKey(npubOrHex: text) else { throw .notAnNpub }
    return key
  }

  /// The named NIP-06 account, below 2^31.
  private static func account(_ number: Int64?) throws(OperationError) -> UInt32? {
    guard let number else { return nil }
    guard (0..<0x8000_0000).contains(number) else { throw .usage("An account must be a number below 2147483648.") }
    return UInt32(number)  // checked
  }
}

extension KitForm {
  fileprivate var account: UInt32? { if case .words(let account) = self { account } else { nil } }
}

/// What the shares were for.
enum RestoredThing {
  case vault
  case identity(PublicKey)

  var key: PublicKey? { if case .identity(let key) = self { key } else { nil } }
}

extension OperationError {
  static let otherSecret = failed(
    "These shares have the kit's number and fit together, but give something else than the kit holds.",
    hint: "The recovery code is wrong, the shares are from another kit that happens to have the same number, or they are forged.")
  static let kitIsForTheVault = failed(
    "These shares belong to a kit of the whole vault.", hint: "Leave out --identity: holdfast recovery restore")
  static let opensNothing = failed(
    "These shares fit together, but they do not open this vault.",
    hint:
      "If the kit has a recovery code, give it with --recovery-code. To restore a kit of one identity, use the command on its sheets."
  )
  static let codeMissing = failed(
    "This kit has a recovery code, and the shares alone do not open it.", hint: "Give the code too: --recovery-code")
  static let neitherKeyNorWords = failed(
    "These shares give neither a key nor words.", hint: "Do they belong to a kit of the vault?")

  /// - Parameter key: the key that the page, or the stored kit, names.
  static func otherKey(_ key: PublicKey) -> OperationError {
    failed(
      "These shares do not give \(key.npub). Nothing was stored.",
      hint: """
        Compare the npub and the kit's number with the page. If the kit has a recovery code, give it with --recovery-code. An account above \
        \(KitForm.accountsSearched - 1) needs --account N.
        """)
  }

  /// - Parameter possible: the keys that the shares may give.
  static func unproven(_ possible: [(key: PublicKey, text: String)]) -> OperationError {
    let keys = possible.map { "\($0.key.npub) (\($0.text))" }.joined(separator: " or ")
    return failed(
      "The npub that these shares must give is missing. They give \(keys). Nothing was stored.",
      hint: "Give the npub from the page: --npub NPUB. If it is none of these, the kit has a recovery code or another account.")
  }
}
