import AuditLog
import Curve
import Encodings
import Identities
import JSON
import KeyRotation
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import SecretMemory
import Signer
import Sockets
import Vault

/// `identity rotate`: the old key names the key that succeeds it, the new key publishes what the old one said of itself, and the
/// old key is refused from then on. Signing and storing is one step; publishing afterwards can be repeated as often as needed.
extension Operations {
  func rotateIdentity(_ request: IdentityRotate.Request, _ call: OperationCall) throws -> IdentityRotate.Response {
    let old = try rotatedKey(request.identity.name)
    var response = IdentityRotate.Response()
    if let rotation = try home.rotation(of: old) {
      if request.isPlan {
        response.rotation = describe(rotation)
        return response
      }
      // The signer may have crashed between the two steps.
      if isInUse(rotation.old) { try retire(rotation) }
      return try goOn(rotation, request, call, isProven: false)
    }
    let prepared = request.usesSuccession ? try preparedSuccession(of: old) : nil
    var draft = try draft(old, prepared != nil, request)
    if !request.isPlan {
      guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
      if home.sessionLock.isLocked { throw OperationError.unlockFirst }
      try prove(call)
    }
    let session = try RelaySession(named: draft.named)
    defer { session.end() }
    let asked = draft.relays
    draft.take(found(of: old, at: asked, session, call), asked: asked, here: signedHere(old), now: Clock.seconds)
    let name = try successorName(request.to, old, prepared?.identity)
    if request.isPlan {
      response.plan = describe(draft, name: name, prepared: prepared != nil)
      return response
    }
    guard !draft.answered.isEmpty else { throw OperationError.noRelayAnswered(draft.faults) }
    let rotation = try home.rotating.withLock {
      guard try home.rotation(of: old) == nil else { throw OperationError.rotatedMeanwhile }
      if let prepared { return try begin(draft, prepared, call) }
      return try begin(draft, name, call)
    }
    try retire(rotation)
    return try goOn(rotation, request, call, isProven: true, session)
  }

  func listRotations(_ request: IdentityRotation.Request) throws -> IdentityRotation.Response {
    var all = try home.rotations()
    if let name = request.name {
      let old = try rotatedKey(name)
      all = all.filter { $0.old == old || $0.new == old }
    }
    var response = IdentityRotation.Response()
    response.rotations = all.map { describe($0) }
    return response
  }

  /// The public key of an identity's name, of an npub or of hex, or of an identity that is gone but left its statement here.
  func rotatedKey(_ name: String) throws -> PublicKey {
    if home.identities.find(name) == nil, let key = PublicKey(npubOrHex: name) { return key }
    return try identity(named: name).publicKey
  }

  // MARK: before

  private func draft(_ old: PublicKey, _ isPrepared: Bool, _ request: IdentityRotate.Request) throws -> RotationDraft {
    if home.identities.all.contains(where: { $0.publicKey == old }) == false, !isPrepared {
      throw OperationError.noIdentity(named: request.identity.name, among: home.identities.all.map(\.name))
    }
    let noted = home.identities.all.first { $0.publicKey == old }?.details.relays ?? []
    let named = try Self.namedRelays(request.relays) + noted.compactMap { try? WebSocketURL(parsing: $0) }
    if named.contains(where: isOwnRelay) { throw OperationError.ownRelayKeepsNothing }
    let listed = RotationDraft.relays(in: home.latest(EventKind.relayList, of: old))
    guard !(named + listed).isEmpty else {
      throw OperationError.usage(
        "Holdfast does not know this identity's relays.", hint: "Name them: --relay wss://… (may be given several times)")
    }
    let reason: Succession.Reason =
      isPrepared ? .prepared : request.isCompromised ? .compromised : .rotated
    return RotationDraft(
      old: old, reason: reason, hasNote: request.hasNote && !isPrepared, named: named, relays: listed)
  }

  /// Whether a relay is the signer's own. It keeps no events, so nobody would learn of the new key there.
  private func isOwnRelay(_ relay: WebSocketURL) -> Bool {
    (running?.report()?.relays ?? []).contains { $0.state == .embedded && (try? WebSocketURL(parsing: $0.url)) == relay }
  }

  private func signedHere(_ old: PublicKey) -> [Rotation.What: EventTemplate] {
    Rotation.What.allCases.reduce(into: [:]) { here, what in
      if let kind = what.copied, let latest = home.latest(kind, of: old) { here[what] = latest }
    }
  }

  private func successorName(
    _ wanted: String?, _ old: PublicKey, _ prepared: Identity?
  ) throws -> String {
    if let prepared { return prepared.name }
    if let wanted {
      try home.identities.check(newName: wanted)
      return wanted
    }
    return try freeName(like: name(ofIdentity: old))
  }

  /// `alice-2`, or the next free name.
  func freeName(like name: String) throws -> String {
    for number in 2..<100 where home.identities.find("\(name)-\(number)") == nil { return "\(name)-\(number)" }
    throw OperationError.usage("No free name was found for the new identity.", hint: "Choose one: --to NAME")
  }

  // MARK: the step that happens as a whole

  /// The class of an identity's key, or the usual one if the key is gone.
  func protection(of key: PublicKey) -> ProtectionClass {
    home.identities.all.first { $0.publicKey == key }?.protection ?? .whenUnlocked
  }

  /// Begins a rotation to a new key, under the class of the old one.
  private func begin(
    _ draft: RotationDraft, _ name: String, _ call: OperationCall
  ) throws -> Rotation {
    let protection = protection(of: draft.old)
    let held = try presence(call, isNeededFor: [protection])
    let oldKey = try home.identities.keyPair(for: draft.old, by: held)
    let now = Clock.seconds
    let log = home.log
    var rotation: Rotation?
    try home.outbox.recordingIdentity({ [.added($0), .rotated(draft.old, to: $0.publicKey)] }) {
      _ = try home.identities.createSuccessor(
        NewIdentity(name, protection: protection), by: held, now: Clock.milliseconds
      ) { (new) throws(VaultError) in
        let statement = Succession.statement(from: draft.old, to: new.publicKey, reason: draft.reason, now: now)
        let note = draft.hasNote ? Succession.note(from: draft.old, to: new.publicKey, reason: draft.reason, now: now) : nil
        do {
          // The old key is used for the last time.
          let said = try log.signing(statement, with: oldKey)
          let made = try draft.rotation(said, note: try note.map { try log.signing($0, with: oldKey) }, by: new, now: now)
          rotation = made
          return try [made.change] + OpenedHome.coordinates(of: made)
        } catch let error as VaultError { throw error } catch { throw VaultError.io("recording the statement", code: 0) }
      }
    }
    guard let rotation else { throw OperationError.notStored }  // set before anything was stored
    return rotation
  }

  /// Begins a rotation to the key that was named beforehand.
  private func begin(
    _ draft: RotationDraft, _ prepared: PreparedSuccession, _ call: OperationCall
  ) throws -> Rotation {
    let held = try presence(call, isNeededFor: [protection(of: prepared.identity.publicKey)])
    let key = try home.identities.keyPair(for: prepared.identity.publicKey, by: held)
    // The new key may have been used already: none of its times may be signed twice or forgotten.
    return try home.coordinates.withLock {
      try home.outbox.recording(.rotated(draft.old, to: key.publicKey)) {
        let now = try home.timeOfRotation(to: key.publicKey, now: Clock.seconds)
        let rotation = try draft.rotation(prepared.statement, note: nil, by: key, now: now)
        try home.vault.transaction([rotation.change] + OpenedHome.coordinates(of: rotation) { try home.signed($0) })
        return rotation
      }
    }
  }

  /// Whether anything here still uses the key. `retire` ends that.
  private func isInUse(_ old: PublicKey) -> Bool {
    home.identities.all.contains { $0.publicKey == old && !$0.isRetired }
      || home.identities.defaultIdentity?.publicKey == old || home.engine.openLinks.contains { $0.identity == old }
  }

  /// Refuses the old key from now on.
  private func retire(_ rotation: Rotation) throws {
    try home.loadRetired()
    try home.loadIdentities()
    // This is only for readers of the identity. What refuses the key is the rotation, which is stored with the new key and its
    // log entry.
    if home.has(rotation.old) { _ = try home.identities.setRetired(true, rotation.old) }
    if home.identities.defaultIdentity?.publicKey == rotation.old { try home.identities.setDefault(rotation.new) }
    home.closeLinks(of: rotation.old)
    for pairing in home.engine.pairings where pairing.identity == rotation.old {
      _ = running?.reconsider(pairing.remoteSigner)
    }
    home.signerEvents.tell(.identitiesChanged)
    home.signerEvents.tell(.clientsChanged)
  }

  // MARK: after it

  /// Offers every relay what it has not taken yet, and stores the relays' answers.
  private func goOn(
    _ begun: Rotation, _ request: IdentityRotate.Request, _ call: OperationCall, isProven: Bool,
    _ opened: RelaySession? = nil
  ) throws -> IdentityRotate.Response {
    var rotation = begun
    let named = try Self.namedRelays(request.relays)
    if named.contains(where: isOwnRelay) { throw OperationError.ownRelayKeepsNothing }
    rotation.add(named)
    let session =
      if let opened { opened } else { try RelaySession(named: rotation.named.compactMap { try? WebSocketURL(parsing: $0) }) }
    defer { if opened == nil { session.end() } }
    rotation = offered(rotation, session, nil)
    if let login = try login(for: rotation, call, isProven: isProven) { rotation = offered(rotation, session, login) }
    try home.save(rotation)
    var response = IdentityRotate.Response()
    response.links = request.movesApps ? try linksForApps(rotation) : []
    response.rotation = describe(rotation)
    return response
  }

  /// Makes a link with the same trust for each app of the old key. Its other permissions are not kept: the app pairs anew.
  private func linksForApps(_ rotation: Rotation) throws -> [IdentityRotate.Link] {
    guard let identity = home.identities.all.first(where: { $0.publicKey == rotation.new }) else { return [] }
    var links: [IdentityRotate.Link] = []
    for pairing in home.engine.pairings where pairing.identity == rotation.old {
      let link = try newLink(identity, pairing.grant.trust, relays: pairing.relays)
      var told = IdentityRotate.Link()
      (told.app, told.client, told.bunker) = (pairing.name, pairing.client.hex, link.uri.text)
      told.trust = Trust(rawValue: link.trust.rawValue) ?? .low
      links.append(told)
    }
    return links
  }
}

extension OpenedHome {
  /// Closes links of an identity that nobody has used yet.
  fileprivate func closeLinks(of identity: PublicKey) {
    changingPairings {
      let links = engine.openLinks.filter { $0.identity == identity }.map(\.remoteSigner)
      guard store.retire(links) else { return }
      for link in links { _ = engine.end(link, now: Clock.seconds) }
    }
  }
}

extension OperationError {
  static func noRelayAnswered(_ faults: [String: String]) -> OperationError {
    let first = faults.sorted { $0.key < $1.key }.first.map { " (\($0.key): \($0.value))" } ?? ""
    return .failed(
      "None of the relays could be read\(first). Nothing was changed.",
      hint: "Check the network, or name other relays with --relay.")
  }

  static let ownRelayKeepsNothing = usage(
    "This signer's own relay keeps no events, so nobody would learn of the new key there.",
    hint: "Name relays from which your followers read: --relay wss://…")

  static let rotatedMeanwhile = failed(
    "This identity was rotated a moment ago.", hint: "See: holdfast identity rotation")

  /// The error for every use of a key that was replaced by another.
  static func retired(_ name: String) -> OperationError {
    OperationError(
      .denied, "“\(name)” is retired: another key replaced it.", hint: "To see which: holdfast identity rotation")
  }
}
