internal import AuditLog
internal import Curve
internal import JSON
internal import Mnemonics
internal import Nostr
internal import SecretMemory
internal import Vault

/// Putting shares together: to see that it works, or to have what they are for.
extension Operations {
  /// Shows that shares restore, without showing or keeping what.
  func testKit(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let shares = try Combined(given)
    let noted = try kits().first { $0.isKit(of: shares.numbers) }
    let restores: RestoredThing
    switch noted?.content {
    case .slot?: restores = try testSlot(shares.secret, noted)
    case .key(let key)?:
      guard KitSecret.publicKey(ofKey: shares.secret) == key else { throw wrongSecret() }
      restores = .identity(key)
    case .words(let key, let account)?:
      guard try vaultStep({ try KitSecret.publicKey(ofWords: shares.secret, account: account) }) == key else {
        throw wrongSecret()
      }
      restores = .identity(key)
    case nil: restores = try unknownKit(shares)
    }
    let now = Clock.seconds
    if var kit = noted {
      kit.lastTested = now
      try vaultStep {
        try core.vault.transaction([
          .put(.recoveryKit, kit.recordID, kit.record),
          .put(.testedClaim, Array("recovery \(kit.id)".utf8), Array("\(now)".utf8)),
        ])
      }
    }
    core.log.append(.event(.recoveryTested, identity: restores.key)) { _ in }
    return .object([
      .init("kit", .string(shares.numbers.kit)), .init("restores", .string(restores.key.map(name(ofIdentity:)) ?? "vault")),
      .init("noted", .bool(noted != nil)), .init("tested", .integer(now)),
    ])
  }

  private func wrongSecret() -> OperationFailure {
    noteWrongShares(.authenticationFailed(triesLeft: nil, waitSeconds: 0))
    return .otherSecret
  }

  /// Shares of a kit that is noted nowhere here, made before a backup or elsewhere: they may still fit something.
  private func unknownKit(_ shares: Combined) throws(OperationFailure) -> RestoredThing {
    if let key = KitSecret.publicKey(ofKey: shares.secret), core.has(key) { return .identity(key) }
    for identity in core.identities.all {
      guard let account = identity.account else { continue }
      let key = try vaultStep { try KitSecret.publicKey(ofWords: shares.secret, account: account) }
      if key == identity.publicKey { return .identity(identity.publicKey) }
    }
    return try testSlot(shares.secret, nil)
  }

  func restoreKit(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    guard let name = try given.optionalText("name") else { return try restoreVault(given) }
    let shares = try Combined(given)
    // Entropy of 24 words is as long as a key: what the kit held has to be said, unless this vault knows.
    let noted = try kits().first { $0.isKit(of: shares.numbers) }
    var (areWords, account) = (
      shares.secret.count != 32 || given["words"]?.bool == true, try given.optionalInteger("account") ?? 0
    )
    if case .words(_, let number)? = noted?.content, given["account"] == nil { (areWords, account) = (true, Int64(number)) }
    if case .slot? = noted?.content { throw .kitIsForTheVault }
    let text = try KitSecret.text(of: shares.secret, areWords: areWords)
    let identity = try vaultStep {
      try core.identities.importKey(
        text, name: name, help: ImportHelp(account: UInt32(clamping: account)), now: Clock.milliseconds)
    }
    try vaultStep { try core.loadIdentities() }
    core.log.append(.event(.recoveryRestored, identity: identity.publicKey)) { _ in }
    core.happenings.tell(.identitiesChanged)
    return .object([
      .init("restored", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)),
      .init("kit", .string(shares.numbers.kit)),
    ])
  }
}

/// What shares turned out to be for.
enum RestoredThing {
  case vault
  case identity(PublicKey)

  var key: PublicKey? { if case .identity(let key) = self { key } else { nil } }
}

/// The shares of a request, put together.
struct Combined {
  let numbers: ShareNumbers
  let secret: SecretBox

  /// The secret `shares`: one share a line.
  init(_ given: Parameters) throws(OperationFailure) {
    guard let lines = given.secret("shares") else {
      throw .usage("The shares are missing.", hint: "Name their files, or give them on standard input.")
    }
    try self.init(lines)
  }

  /// - Parameter lines: one share a line.
  init(_ lines: SecretBox) throws(OperationFailure) {
    do throws(ShareError) {
      let collection = try lines.withBytes { (text) throws(ShareError) in try Self.collection(text) }
      guard let numbers = collection.numbers else { throw ShareError.share(1, .wordCount(0)) }
      (self.numbers, secret) = (numbers, SecretBox(try collection.secret()))
    } catch { throw OperationFailure(error) }
  }

  private static func collection(_ text: UnsafeRawBufferPointer) throws(ShareError) -> ShareCollection {
    var collection = ShareCollection()
    for line in text.split(separator: 0x0A) where line.contains(where: { $0 > 0x20 }) {
      try collection.add(words: UnsafeRawBufferPointer(rebasing: line))
    }
    return collection
  }
}

extension OperationFailure {
  static let otherSecret = failed(
    "These shares have the kit's number and fit together, but give something else than the kit was made for.",
    hint: "They are of another kit that has the same number by chance, or forged.")
  static let kitIsForTheVault = failed(
    "These shares are of a kit for the whole vault.", hint: "Leave out the identity: holdfast recovery restore")
  static let opensNothing = failed(
    "These shares fit together, but open nothing in this vault.",
    hint: "A kit of an identity that is not here is restored with: holdfast recovery restore --identity NAME")
}
