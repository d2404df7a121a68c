package import AuditLog
package import Curve
import Encodings
import Platform
package import RemoteSigning
import SecretMemory
package import Vault

/// The engine's links, pairings and waiting requests, stored as encrypted records of the vault.
///
/// Every method returns only after the change is durable. False means that nothing changed.
package struct Store: Sendable {
  private let vault: Vault

  package init(_ vault: Vault) { self.vault = vault }

  // MARK: reading, at start-up

  /// A stored link or pairing with its key.
  package struct Keyed<Value> {
    package let value: Value
    let signer: KeyPair
  }

  func links() throws -> [Keyed<OpenLink>] {
    try vault.records(.link).map { record in
      let link = try OpenLink(record: record.value)
      return Keyed(value: link, signer: try signer(link.remoteSigner))
    }
  }

  package func pairings() throws -> [Keyed<Pairing>] {
    try vault.records(.pairing).map { record in
      let pairing = try Pairing(record: record.value)
      return Keyed(value: pairing, signer: try signer(pairing.remoteSigner))
    }
  }

  /// What remains of ended pairings. A record without its key is left out, because it can answer nobody.
  func endedPairings() throws -> [Keyed<EndedPairing>] {
    try vault.records(.endedPairing).compactMap { record in
      let ended = try EndedPairing(record: record.value)
      return (try? signer(ended.remoteSigner)).map { Keyed(value: ended, signer: $0) }
    }
  }

  func pendingRequests() throws -> [PendingRequest] {
    try vault.records(.pendingRequest).filter { !Self.isAnswer($0.id) }.map { try PendingRequest(record: $0.value) }
  }

  /// The request that waits under a name.
  func pendingRequest(_ name: String) throws -> PendingRequest? {
    try vault.value(.pendingRequest, id: Array(name.utf8)).map { try PendingRequest(record: $0) }
  }

  /// The names of all requests on the disk that wait; nil when it cannot be read.
  package var storedNames: Set<String>? {
    guard let ids = try? vault.ids(.pendingRequest) else { return nil }
    return Set(ids.filter { !Self.isAnswer($0) }.map { String(decoding: $0, as: UTF8.self) })
  }

  /// The owner's answers of the last minutes.
  func answers() throws -> [OwnerAnswer] {
    try vault.records(.pendingRequest).filter { Self.isAnswer($0.id) }.map { try OwnerAnswer(record: $0.value) }
  }

  // Stored like requests, under the id of the requesting event. A name has fewer digits and no mark in front.
  private static func answerID(_ eventID: Bytes32) -> [UInt8] { [answerMark] + eventID.array }
  private static func isAnswer(_ id: [UInt8]) -> Bool { id.first == answerMark }
  private static let answerMark = UInt8(ascii: "=")

  private func signer(_ key: PublicKey) throws -> KeyPair {
    try KeyPair(SecretKey(try vault.secret(kind: .pairingKey, id: key.bytes.array)))
  }

  // MARK: changing

  /// A new link with its key.
  package func save(_ link: OpenLink, signer: KeyPair) -> Bool {
    guard let secret = try? Self.secret(of: signer) else { return false }
    return commit([
      .put(.pairingKey, link.remoteSigner.bytes.array, secret, .afterFirstUnlock),
      .put(.link, link.remoteSigner.bytes.array, link.record, .afterFirstUnlock),
    ])
  }

  /// Stores a pairing and removes the link that made it and earlier pairings of the same app, in one step. The link's secret is
  /// used up at the moment the grant exists.
  package func save(_ offer: PairingOffer, signer: KeyPair? = nil) -> Bool {
    guard let changes = Self.saving(offer.pairing, signer) else { return false }
    return commit(changes + ending(of: offer.replaced, .replaced))
  }

  private static func saving(_ pairing: Pairing, _ signer: KeyPair?) -> [RecordChange]? {
    let id = pairing.remoteSigner.bytes.array
    let changes: [RecordChange] = [.put(.pairing, id, pairing.record, .afterFirstUnlock), .delete(kind: .link, id: id)]
    guard let signer else { return changes }
    guard let secret = try? Self.secret(of: signer) else { return nil }
    return changes + [.put(.pairingKey, id, secret, .afterFirstUnlock)]
  }

  /// A program whose pairing ends because the owner revoked it stays known, by a pairing that lets it in to nothing: no setting for new
  /// programs lets it in. Nothing for apps that ask over relays, and for sites and links, to which no setting applies.
  package func keepingRevoked(_ pairing: Pairing, now: Int64) -> [RecordChange] {
    guard pairing.caller?.program != nil, let signer = try? KeyPair.random(), let client = try? KeyPair.random() else {
      return []
    }
    let next = pairing.revoked(remoteSigner: signer.publicKey, client: client.publicKey, now: now)
    return Self.saving(next, signer) ?? []
  }

  /// Stores changed pairings: grants, names, counts of use.
  package func update(_ pairings: [Pairing]) -> Bool {
    commit(
      pairings.map { .put(.pairing, $0.remoteSigner.bytes.array, $0.record, .afterFirstUnlock) })
  }

  /// Removes pairings and notes that they ended. Their keys stay, to tell their apps.
  func end(_ remoteSigners: [PublicKey], _ ending: PairingEnding) -> Bool { commit(self.ending(of: remoteSigners, ending)) }

  /// Removes a pairing, notes that it ended, and stores the one that follows it, in one step.
  func end(_ remoteSigner: PublicKey, _ ending: PairingEnding, followedBy next: PairingOffer, signer: KeyPair) -> Bool {
    guard let changes = Self.saving(next.pairing, signer) else { return false }
    return commit(self.ending(of: [remoteSigner], ending) + changes)
  }

  /// Removes links. Their keys stay, to tell apps that use one.
  package func retire(_ remoteSigners: [PublicKey]) -> Bool { commit(retiring(remoteSigners)) }

  /// Removes everything stored under these remote-signer keys, and the keys themselves.
  func remove(_ remoteSigners: [PublicKey]) -> Bool { commit(remoteSigners.flatMap(Self.removal)) }

  func save(_ request: PendingRequest) -> Bool {
    commit([.put(.pendingRequest, Array(request.name.utf8), request.record, .afterFirstUnlock)])
  }

  /// Removes requests that no longer wait, by name.
  @discardableResult
  func deletePending(_ names: [String]) -> Bool {
    commit(names.map { .delete(kind: .pendingRequest, id: Array($0.utf8)) })
  }

  /// Removes requests that no longer wait, and stores the owner's answers.
  @discardableResult
  func endPending(_ names: [String], keeping answers: [OwnerAnswer]) -> Bool {
    commit(
      names.map { .delete(kind: .pendingRequest, id: Array($0.utf8)) }
        + answers.map { .put(.pendingRequest, Self.answerID($0.eventID), $0.record, .afterFirstUnlock) })
  }

  /// Removes answers, by the ids of the requesting events.
  @discardableResult
  func deleteAnswers(_ eventIDs: [Bytes32]) -> Bool {
    commit(eventIDs.map { .delete(kind: .pendingRequest, id: Self.answerID($0)) })
  }

  // MARK: rules: what was signed, what was used up, settings

  /// What was signed at a coordinate.
  func signed(_ id: Bytes32) throws -> SignedCoordinate? {
    try vault.value(.signedCoordinate, id: id.array).map { try SignedCoordinate(record: $0) }
  }

  func save(_ coordinate: SignedCoordinate, id: Bytes32, beside changes: [RecordChange] = []) -> Bool {
    commit(changes + [.put(.signedCoordinate, id.array, coordinate.record, .afterFirstUnlock)])
  }

  /// What was signed at all coordinates.
  func coordinates() throws -> [(id: Bytes32, signed: SignedCoordinate)] {
    try vault.records(.signedCoordinate).compactMap { record in
      guard let id = Bytes32(record.id) else { return nil }
      return (id, try SignedCoordinate(record: record.value))
    }
  }

  /// Whether all coordinates have been checked for dates in the future.
  func areCoordinatesBounded() throws -> Bool { try vault.value(.setting, id: Self.boundedSetting) != nil }

  /// Stores the repaired coordinates, and that all have been checked.
  func saveBounded(_ healed: [(id: Bytes32, signed: SignedCoordinate)]) -> Bool {
    commit(
      healed.map { .put(.signedCoordinate, $0.id.array, $0.signed.record, .afterFirstUnlock) }
        + [.put(.setting, Self.boundedSetting, [1], .afterFirstUnlock)])
  }

  private static let boundedSetting = Array("coordinates bounded".utf8)

  /// The time up to which nothing is signed at an unknown coordinate, in seconds since 1970. The vault is an older copy, and
  /// something it does not know may have been signed there.
  func unknownCoordinatesClosed() throws -> Int64? { try time(Self.closedSetting) }

  /// The change that sets this time.
  package static func closingUnknownCoordinates(upTo time: Int64) -> RecordChange { setting(closedSetting, to: time) }

  private static let closedSetting = Array("coordinates closed".utf8)

  func usage(of remoteSigner: PublicKey) throws -> (usage: Usage, countedUpTo: Int64)? {
    try vault.value(.usage, id: remoteSigner.bytes.array).map { try Usage.read($0) }
  }

  /// - Parameter time: milliseconds since 1970 up to which all uses are counted.
  package func save(_ usage: [PublicKey: Usage], countedUpTo time: Int64) -> Bool { commit(Self.changes(usage, time)) }

  /// The same when nothing else was used up to that time.
  /// - Parameter waiting: the log's end, if all stored requests still wait.
  package func saveAll(_ usage: [PublicKey: Usage], countedUpTo time: Int64, waiting: AuditLog.Extent?) -> Bool {
    let known = waiting.map { extent in
      var bytes = extent.log.array
      bytes.append(bigEndian: extent.count)
      return RecordChange.put(.setting, Self.waitingSetting, bytes, .afterFirstUnlock)
    }
    let complete: [RecordChange] = [
      Self.setting(Self.countedSetting, to: time), .delete(kind: .setting, id: Self.unreadSetting),
    ]
    return commit(Self.changes(usage, time) + complete + (known.map { [$0] } ?? []))
  }

  /// Stores the counts of a signer that could not read its log since its start. They lack what only the log knows.
  func saveWhileUnread(_ usage: [PublicKey: Usage]) -> Bool {
    let record = usage.reduce(into: [UInt8]()) { record, used in
      let windows = used.value.record(countedUpTo: 0)
      record += used.key.bytes.array
      record.append(bigEndian: UInt32(windows.count))
      record += windows
    }
    return commit([.put(.setting, Self.unreadSetting, record, .afterFirstUnlock)])
  }

  /// The counts that `saveWhileUnread` stored last.
  func usageWhileUnread() throws -> [PublicKey: Usage] {
    var reader = ByteReader(try vault.value(.setting, id: Self.unreadSetting)?[...] ?? [])
    var usage: [PublicKey: Usage] = [:]
    while let key = reader.bytes32(), let length: UInt32 = reader.integer(), let windows = reader.take(Int(length)) {
      usage[PublicKey(key)] = try Usage.read(Array(windows)).usage
    }
    return usage
  }

  private static let unreadSetting = Array("usage while unread".utf8)

  /// The log's end when all stored requests still waited; nil when unknown.
  func waitingKnown() throws -> AuditLog.Extent? {
    guard let bytes = try vault.value(.setting, id: Self.waitingSetting) else { return nil }
    var reader = ByteReader(bytes[...])
    guard let log = reader.bytes32(), let count: UInt64 = reader.integer() else { return nil }
    return (log, count)
  }

  private static let waitingSetting = Array("waiting known".utf8)

  /// The time up to which all uses are in the stored counts, in milliseconds since 1970.
  func usageComplete() throws -> Int64? { try time(Self.countedSetting) }

  private static func changes(_ usage: [PublicKey: Usage], _ time: Int64) -> [RecordChange] {
    usage.map { .put(.usage, $0.key.bytes.array, $0.value.record(countedUpTo: time), .afterFirstUnlock) }
  }

  private static let countedSetting = Array("usage counted".utf8)

  func policySettings() throws -> PolicySettings? {
    try vault.value(.setting, id: Self.policySetting).map { try PolicySettings(record: $0) }
  }

  package func save(_ settings: PolicySettings) -> Bool {
    commit([.put(.setting, Self.policySetting, settings.record, .afterFirstUnlock)])
  }

  package static let policySetting = Array("policy".utf8)

  package func formerApps() throws -> FormerApps {
    try vault.value(.setting, id: Self.formerAppsSetting).map { FormerApps(record: $0) } ?? FormerApps()
  }

  package func save(_ apps: FormerApps) -> Bool {
    commit([.put(.setting, Self.formerAppsSetting, apps.record, .afterFirstUnlock)])
  }

  private static let formerAppsSetting = Array("former apps".utf8)

  private func time(_ setting: [UInt8]) throws -> Int64? {
    guard let bytes = try vault.value(.setting, id: setting) else { return nil }
    var reader = ByteReader(bytes[...])
    return reader.integer()
  }

  private static func setting(_ id: [UInt8], to time: Int64) -> RecordChange {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: time)
    return .put(.setting, id, bytes, .afterFirstUnlock)
  }

  private func commit(_ changes: [RecordChange]) -> Bool {
    guard !changes.isEmpty else { return true }
    do { try vault.transaction(changes) } catch { return false }
    return true
  }

  /// The changes that end these pairings, for another transaction.
  package func ending(of keys: [PublicKey], _ ending: PairingEnding) -> [RecordChange] {
    retiring(keys) + Revocations.changes(of: keys, ending, now: Clock.milliseconds)
  }

  /// The changes that remove these pairings or links except for their transport keys, for another transaction.
  /// - Parameter time: when they ended, in seconds since 1970.
  package func retiring(_ keys: [PublicKey], at time: Int64 = Clock.seconds) -> [RecordChange] {
    keys.flatMap { key in
      guard let ended = ended(key, at: time) else { return Self.removal(key) }
      let id = key.bytes.array
      return [
        .delete(kind: .pairing, id: id), .delete(kind: .link, id: id), .delete(kind: .usage, id: id),
        .put(.endedPairing, id, ended.record, .afterFirstUnlock),
      ]
    }
  }

  private func ended(_ key: PublicKey, at time: Int64) -> EndedPairing? {
    let id = key.bytes.array
    if let record = (try? vault.value(.pairing, id: id)) ?? nil, let pairing = try? Pairing(record: record) {
      return EndedPairing(pairing, endedAt: time)
    }
    guard let record = (try? vault.value(.link, id: id)) ?? nil, let link = try? OpenLink(record: record) else { return nil }
    return EndedPairing(link, endedAt: time)
  }

  /// The changes that remove everything of these links or pairings, for another transaction.
  package static func removal(of keys: [PublicKey]) -> [RecordChange] { keys.flatMap(removal) }

  private static func removal(_ key: PublicKey) -> [RecordChange] {
    let id = key.bytes.array
    return [
      .delete(kind: .pairing, id: id), .delete(kind: .link, id: id), .delete(kind: .pairingKey, id: id),
      .delete(kind: .usage, id: id), .delete(kind: .endedPairing, id: id),
    ]
  }

  private static func secret(of pair: KeyPair) throws -> SecretBox {
    let key = try pair.secretKey()
    return SecretBox(try key.withBytes { try SecretBytes(copying: $0) })
  }
}
