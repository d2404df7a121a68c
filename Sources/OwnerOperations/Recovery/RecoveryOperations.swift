internal import AuditLog
internal import Identities
internal import JSON
internal import Mnemonics
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

/// Recovery kits: a secret as shares of which so many restore it.
extension Operations {
  func recoveryOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "recovery/list": return try listKits()
    case "recovery/test": return try testKit(given)
    case "recovery/remove": return try removeKit(given)
    case "recovery/restore": return try restoreKit(given)
    case "recovery/handed-out": return try noteHandedOut(given)
    default: throw OperationError.noSuchOperation
    }
  }

  /// Makes a kit. Its shares are in the answer and nowhere else: what is kept is only that there is a kit.
  func createKit(_ given: Parameters) throws -> ControlResult {
    let plan = try SharePlan(given)
    let label = try KitLabel.read(given)
    let code = given.secret("new_recovery_code")
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    let name = try given.optionalText("identity")
    let identity = name == nil ? nil : try self.identity(named: name)
    let held = try identity.flatMap { identity in
      try presence(given, isNeededFor: classes(of: identity))
    }
    if identity != nil, held == nil { try prove(given) }
    let identifier = try freeIdentifier()
    let (content, secret) =
      if let identity { try KitSecret.of(identity, in: core.identities, by: held) } else {
        try enrolKit(given, identifier, label)
      }
    let kit = RecoveryKit(
      identifier: identifier, content: content, plan: plan, label: label, made: Clock.seconds, hasCode: code != nil,
      isHandedOut: false, lastTested: nil)
    let shares: [SecretBox]
    do {
      shares = try words(of: secret, kit, code)
      // Before a share leaves: who takes a kit in secret cannot take it unseen.
      try core.outbox.recording(.event(.recoveryCreated, identity: identity?.publicKey)) {
        try core.vault.transaction([.put(.recoveryKit, kit.recordID, kit.record)])
      }
    } catch {
      forgetUnused(content)
      throw error
    }
    let instructions = KitInstructions(kit: kit, name: identity?.name, secretLength: secret.count)
    let described = JSONValue.object((describe(kit).members ?? []) + instructions.members)
    return ControlResult(["kit": described, "shares": []], secrets: ["shares": .list(shares)])
  }

  /// A slot whose shares nobody gets shall not stay. Where that cannot be recorded it does, and is no way in for anybody.
  private func forgetUnused(_ content: RecoveryKit.Content) {
    guard case .slot(let slot) = content else { return }
    try? core.outbox.recording(.event(.slotRemoved, rule: "recovery kit")) { try removeKitSlot(slot) }
  }

  private func words(of secret: SecretBox, _ kit: RecoveryKit, _ code: SecretBox?) throws -> [SecretBox] {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
      // The first that is asked for is the identifier, which was chosen already.
      if buffer.count == MemoryLayout<UInt16>.size {
        buffer.storeBytes(of: kit.identifier, as: UInt16.self)
      } else {
        SystemRandom.fill(buffer)
      }
    }
    let groups =
      if let code {
        try SharedSecret.split(try secret.duplicate(), into: kit.plan, passphrase: try code.duplicate(), random: fill)
      } else { try SharedSecret.split(try secret.duplicate(), into: kit.plan, random: fill) }
    return try groups.flatMap { $0 }.map { share in SecretBox(try share.words()) }
  }

  /// An identifier that no kit of this vault has.
  private func freeIdentifier() throws -> UInt16 {
    let taken = Set(try kits().map(\.identifier))
    while true {
      var identifier: UInt16 = 0
      withUnsafeMutableBytes(of: &identifier) { SystemRandom.fill($0) }
      if !taken.contains(identifier & 0x7fff) { return identifier & 0x7fff }
    }
  }

  /// The shares of a new kit are written, printed or seen: from now on it counts.
  private func noteHandedOut(_ given: Parameters) throws -> JSONValue {
    let id = try given.text("id")
    guard var kit = try kits().first(where: { $0.id == id }) else { throw OperationError.noSuchKit }
    kit.isHandedOut = true
    try core.vault.transaction([.put(.recoveryKit, kit.recordID, kit.record)])
    return .object([.init("kit", .string(kit.id))])
  }

  func listKits() throws -> JSONValue { .object([.init("kits", .array(try kits().map { describe($0) }))]) }

  /// Forgets a kit; one of the vault opens it no more, which takes the owner's proof as for any slot. One of an identity cannot be
  /// made worthless: the key stays what it is.
  func removeKit(_ given: Parameters) throws -> JSONValue {
    let id = try given.text("id")
    guard let kit = try kits().first(where: { $0.id == id }) else { throw OperationError.noSuchKit }
    if case .slot = kit.content { try prove(given) }
    try core.outbox.recording(.event(.slotRemoved, identity: kit.identity, rule: "recovery kit")) {
      if case .slot(let slot) = kit.content { try removeKitSlot(slot) }
      try core.vault.transaction([.delete(kind: .recoveryKit, id: kit.recordID)])
    }
    return .object([.init("removed", .string(kit.id)), .init("still_restores", .bool(kit.identity != nil))])
  }

  // MARK: help

  /// The kits that are noted, oldest first; none whose slot was removed by another way, since it restores nothing.
  func kits() throws -> [RecoveryKit] {
    let slots = Set(try core.vault.slots.map(\.id))
    return try notedKits().filter { kit in if case .slot(let slot) = kit.content { slots.contains(slot) } else { true } }
      .sorted { ($0.made, $0.id) < ($1.made, $1.id) }
  }

  /// The slots without those of kits whose shares nobody has, as far as is known: a `create` that was killed leaves such a one, and
  /// it is no way in.
  func waysIn() throws -> [SlotInfo] {
    let handedOut = try notedKits().filter(\.isHandedOut).map(\.content)
    return try core.vault.slots.filter { slot in
      slot.type != .recovery || slot.wasTried || handedOut.contains(.slot(slot.id))
    }
  }

  /// Also those whose slot is gone, in no order.
  func notedKits() throws -> [RecoveryKit] {
    try core.vault.records(.recoveryKit).compactMap { RecoveryKit(recordID: $0.id, record: $0.value) }
  }

  func describe(_ kit: RecoveryKit) -> JSONValue {
    let (threshold, count) =
      kit.plan.groups.count == 1
      ? (kit.plan.groups[0].threshold, kit.plan.groups[0].count)
      : (0, kit.plan.groups.reduce(0) { $0 + $1.count })
    return .object(
      [
        .init("for", .string(kit.identity.map(name(ofIdentity:)) ?? "vault")),
        .init("npub", kit.identity.map { .string($0.npub) } ?? .null),
        .init("threshold", threshold == 0 ? .null : .integer(Int64(threshold))), .init("shares", .integer(Int64(count))),
        .init("account", kit.account.map { .integer(Int64($0)) } ?? .null),
      ] + kit.details)
  }
}

enum KitLabel {
  /// - Throws: for control characters and for more than 64 bytes.
  static func read(_ given: Parameters) throws -> String {
    let label = try given.optionalText("label") ?? ""
    guard label.utf8.count <= RecoveryKit.longestLabel, label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
    else { throw OperationError.usage("A label has at most \(RecoveryKit.longestLabel) bytes and no control characters.") }
    return label
  }
}

extension SharePlan {
  /// `threshold` and `shares`, or `groups` as `[[threshold, count], …]` with `group_threshold`.
  init(_ given: Parameters) throws {
    do throws(ShareError) {
      guard let groups = given["groups"], !groups.isNull else {
        guard let threshold = given["threshold"]?.integer, let count = given["shares"]?.integer else {
          throw ShareError.plan(.groupCount(0))
        }
        try self.init(threshold: Int(clamping: threshold), count: Int(clamping: count))
        return
      }
      let pairs = (groups.array ?? []).map { group in
        Group(threshold: Int(clamping: group[0]?.integer ?? 0), count: Int(clamping: group[1]?.integer ?? 0))
      }
      try self.init(groupThreshold: Int(clamping: given["group_threshold"]?.integer ?? Int64(pairs.count)), groups: pairs)
    } catch { throw OperationError(error) }
  }
}
