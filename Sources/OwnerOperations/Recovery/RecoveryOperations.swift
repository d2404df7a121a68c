import AuditLog
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// Recovery kits: a secret in shares, of which a certain number restores it. `recovery/*`
extension Operations {
  static let recoveryHandlers: [OperationHandler] = [
    .init(RecoveryCreate.self) { try $0.createKit($1, $2) },
    .init(RecoveryList.self) { operations, _, _ in try operations.listKits() },
    .init(RecoveryTest.self) { operations, request, _ in try operations.testKit(request) },
    .init(RecoveryHandOut.self) { operations, request, _ in try operations.noteHandedOut(request) },
    .init(RecoveryRemove.self) { try $0.removeKit($1, $2) },
    .init(RecoveryRestore.self) { operations, request, _ in try operations.restoreKit(request) },
  ]

  /// Makes a kit. Its shares are in the response and nowhere else. Only the fact that there is a kit is stored.
  private func createKit(_ request: RecoveryCreate.Request, _ call: OperationCall) throws -> RecoveryCreate.Response {
    let plan = try SharePlan(request)
    let label = try KitLabel.checked(request.label)
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    let identity = try request.identity.map { try self.identity(named: $0) }
    let held = try identity.flatMap { identity in
      try presence(call, isNeededFor: classes(of: identity))
    }
    if identity != nil, held == nil { try prove(call) }
    let identifier = try freeIdentifier()
    let (content, secret) =
      if let identity { try KitSecret.of(identity, in: home.identities, by: held) } else {
        try enrolKit(call, identifier, label)
      }
    let kit = RecoveryKit(
      identifier: identifier, content: content, plan: plan, label: label, made: Clock.seconds,
      hasCode: request.newRecoveryCode != nil, isHandedOut: false, lastTested: nil)
    var response = RecoveryCreate.Response()
    do {
      response.shares = try words(of: secret, kit, request.newRecoveryCode)
      // Recorded before a share leaves, so that nobody can make a kit unnoticed.
      try home.outbox.recording(.event(.recoveryCreated, identity: identity?.publicKey)) {
        try home.vault.transaction([.put(.recoveryKit, kit.recordID, kit.record)])
      }
    } catch {
      forgetUnused(content)
      throw error
    }
    response.kit = KitDetail(
      summary(of: kit), KitInstructions(kit: kit, name: identity?.name, secretLength: secret.count))
    return response
  }

  /// Removes a slot whose shares nobody gets. If that cannot be recorded the slot stays, but nobody can use it.
  private func forgetUnused(_ content: RecoveryKit.Content) {
    guard case .slot(let slot) = content else { return }
    try? home.outbox.recording(.event(.slotRemoved, rule: "recovery kit")) { try removeKitSlot(slot) }
  }

  private func words(of secret: SecretBox, _ kit: RecoveryKit, _ code: SecretBox?) throws -> [SecretBox] {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
      // The first random number that is requested is the identifier, which was chosen already.
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

  /// The shares of a new kit were written, printed or seen: from now on the kit counts.
  private func noteHandedOut(_ request: RecoveryHandOut.Request) throws -> RecoveryHandOut.Response {
    var kit = try kit(request.id)
    kit.isHandedOut = true
    try home.vault.transaction([.put(.recoveryKit, kit.recordID, kit.record)])
    var response = RecoveryHandOut.Response()
    response.kit = kit.id
    return response
  }

  func listKits() throws -> RecoveryList.Response {
    var response = RecoveryList.Response()
    response.kits = try kits().map(summary)
    return response
  }

  /// Removes a kit. A kit of the vault no longer opens it, and removing it needs the owner's credential as for any slot. A kit of
  /// an identity cannot be made useless, because the key stays the same.
  private func removeKit(_ request: RecoveryRemove.Request, _ call: OperationCall) throws -> RecoveryRemove.Response {
    let kit = try kit(request.id)
    var response = RecoveryRemove.Response()
    (response.removed, response.stillRestores) = (kit.id, kit.identity != nil)
    if case .slot(let slot) = kit.content {
      if !request.isPlan || request.credential.passphrase != nil { try prove(call) }
      response.warnings = WaysLeft(try waysIn().filter { $0.id != slot }).warnings
    }
    if request.isPlan { return response }
    try home.outbox.recording(.event(.slotRemoved, identity: kit.identity, rule: "recovery kit")) {
      if case .slot(let slot) = kit.content { try removeKitSlot(slot) }
      try home.vault.transaction([.delete(kind: .recoveryKit, id: kit.recordID)])
    }
    return response
  }

  private func kit(_ id: String) throws -> RecoveryKit {
    guard let kit = try kits().first(where: { $0.id == id }) else { throw OperationError.noSuchKit }
    return kit
  }

  // MARK: help

  /// The stored kits, oldest first, without those whose slot was removed in another way, since they restore nothing.
  func kits() throws -> [RecoveryKit] {
    let slots = Set(try home.vault.slots.map(\.id))
    return try notedKits().filter { kit in if case .slot(let slot) = kit.content { slots.contains(slot) } else { true } }
      .sorted { ($0.made, $0.id) < ($1.made, $1.id) }
  }

  /// The slots, without those of kits whose shares nobody has, as far as is known. A `create` that was killed leaves such a slot,
  /// which nobody can use.
  func waysIn() throws -> [SlotInfo] {
    let handedOut = try notedKits().filter(\.isHandedOut).map(\.content)
    return try home.vault.slots.filter { slot in
      slot.type != .recovery || slot.wasTried || handedOut.contains(.slot(slot.id))
    }
  }

  /// The same with those whose slot is gone, in no order.
  func notedKits() throws -> [RecoveryKit] {
    try home.vault.records(.recoveryKit).compactMap { RecoveryKit(recordID: $0.id, record: $0.value) }
  }

  private func summary(of kit: RecoveryKit) -> KitSummary {
    var summary = KitSummary()
    (summary.restores, summary.npub) = (kit.identity.map(name(ofIdentity:)) ?? "vault", kit.identity?.npub)
    let groups = kit.plan.groups
    summary.threshold = groups.count == 1 ? Int64(groups[0].threshold) : nil
    summary.shares = groups.reduce(0) { $0 + Int64($1.count) }
    (summary.account, summary.id) = (kit.account.map { Int64($0) }, kit.id)
    (summary.groupThreshold, summary.groups) = (
      Int64(kit.plan.groupThreshold), groups.map { [Int64($0.threshold), Int64($0.count)] }
    )
    (summary.label, summary.made, summary.lastTested) = (kit.label, kit.made, kit.lastTested)
    (summary.hasCode, summary.isHandedOut) = (kit.hasCode, kit.isHandedOut)
    return summary
  }
}

extension KitDetail {
  fileprivate init(_ summary: KitSummary, _ instructions: KitInstructions) {
    self.init()
    (self.summary, content) = (summary, KitContent(instructions.kit.content))
    (holds, elsewhere) = (instructions.holds, instructions.elsewhere)
    steps = instructions.steps.map { step in
      var kitStep = KitStep()
      (kitStep.text, kitStep.command) = (step.text, step.command)
      return kitStep
    }
  }
}

extension KitContent {
  fileprivate init(_ content: RecoveryKit.Content) {
    self =
      switch content {
      case .slot: .vault
      case .key: .key
      case .words: .words
      }
  }
}

enum KitLabel {
  /// - Throws: for control characters and for more than 64 bytes.
  static func checked(_ label: String?) throws(OperationError) -> String {
    let label = label ?? ""
    guard label.utf8.count <= RecoveryKit.longestLabel, label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
    else { throw .usage("A label has at most \(RecoveryKit.longestLabel) bytes and no control characters.") }
    return label
  }
}

extension SharePlan {
  /// The one group of `threshold` and `shares`, or all `groups`.
  fileprivate init(_ request: RecoveryCreate.Request) throws(OperationError) {
    do throws(ShareError) {
      guard !request.groups.isEmpty else {
        guard let threshold = request.threshold, let count = request.shares else { throw ShareError.plan(.groupCount(0)) }
        try self.init(threshold: Int(clamping: threshold), count: Int(clamping: count))
        return
      }
      let groups = request.groups.map { pair in
        Group(threshold: Int(clamping: pair.first ?? 0), count: Int(clamping: pair.dropFirst().first ?? 0))
      }
      try self.init(groupThreshold: Int(clamping: request.groupThreshold ?? Int64(groups.count)), groups: groups)
    } catch { throw OperationError(error) }
  }
}
