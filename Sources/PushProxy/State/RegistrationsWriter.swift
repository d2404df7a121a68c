import Curve
import Encodings
import Sockets

/// Makes changes inside a transaction, and counts what there is. Belongs to whoever has its lock.
struct RegistrationsWriter {
  let database: any RegistrationsConnection
  private let limits: Registrations.Limits
  var counts: Registrations.Counts
  /// Whether the keys or the relays became others.
  var isNew = false
  /// Whether the last change was refused because there was no room for its pairs. Call `dropUnusedPairs` then.
  private(set) var lacksRoom = false
  private let dropsAtOnce: Bool
  /// How many devices of its key were forgotten for the change that is being made.
  private var forgotten = 0
  /// Whether that change added a device.
  private var isAdded = false

  /// How many signers at most lose their pairs in one statement.
  private static let mostDropped: Int64 = 10_000

  /// - Parameter dropsAtOnce: whether pairs that nobody needs are removed when there is no room for another one. Otherwise the owner does it
  ///   aside: in a database that others use, too, it takes a while.
  init(
    _ database: any RegistrationsConnection, _ limits: Registrations.Limits, _ counts: Registrations.Counts,
    dropsAtOnce: Bool = true
  ) {
    (self.database, self.limits, self.counts, self.dropsAtOnce) = (database, limits, counts, dropsAtOnce)
  }

  /// Makes several changes in one transaction, in their order.
  /// - Returns: what became of each. When this throws, none is stored.
  mutating func apply(_ changes: [Registrations.Change]) throws(RegistrationsError) -> [Registrations.Result] {
    try change { writer throws(RegistrationsError) in
      var results: [Registrations.Result] = []
      for change in changes {
        (writer.forgotten, writer.isAdded) = (0, false)
        let refusal = try writer.makeOnce(change)
        results.append(.init(refusal: refusal, forgotten: writer.forgotten, isAdded: writer.isAdded))
      }
      return results
    }
  }

  /// Removes the device from every key, unless it registered after that time.
  /// - Returns: from how many.
  mutating func forget(_ target: PushTarget, before: Int64?) throws(RegistrationsError) -> Int {
    try change { writer throws(RegistrationsError) in
      let count = writer.counts.targets
      try writer.forget(target.place, before: before)
      return count - writer.counts.targets
    }
  }

  /// Removes the pairs of signers that have no device registered, because no wake is ever sent for them.
  mutating func dropUnusedPairs() throws(RegistrationsError) {
    try change { writer throws(RegistrationsError) in try writer.dropPairs() }
  }

  @discardableResult
  private mutating func change<Result>(
    _ body: (inout RegistrationsWriter) throws(RegistrationsError) -> Result
  ) throws(RegistrationsError) -> Result {
    let before = counts
    (isNew, lacksRoom) = (false, false)
    do throws(RegistrationsError) {
      return try database.transaction { () throws(RegistrationsError) in
        try database.beginChanges()
        let result = try body(&self)
        if isNew { try database.announceChanges() }
        return result
      }
    } catch {
      (counts, isNew) = (before, false)
      throw error
    }
  }

  private mutating func makeOnce(_ change: Registrations.Change) throws(RegistrationsError) -> ProxyRefusal? {
    if let proof = change.proof {
      guard try database.spend(proof, now: change.now) else { return ProxyAuthorization.replayed }
    }
    return try make(change)
  }

  /// - Returns: why the change is not made, or nil. Nothing was changed for one that is refused.
  private mutating func make(_ change: Registrations.Change) throws(RegistrationsError) -> ProxyRefusal? {
    let signer = RegistrationsValue.bytes(change.key.bytes.array)
    switch change.request {
    case .register(let target): return try register(target, signer, change)
    case .unregister(let target): try unregister(target.place, signer)
    case .pair(let client, let relays): return try pair(client, relays, signer, change.now)
    case .unpair(let client): try unpair(.bytes(client.bytes.array), signer)
    }
    return nil
  }

  // MARK: devices

  private mutating func register(
    _ target: PushTarget, _ signer: RegistrationsValue, _ change: Registrations.Change
  ) throws(RegistrationsError) -> ProxyRefusal? {
    let now = change.now
    let renewed = try database.write(
      "UPDATE registrations SET keys = ?3, seen = ?4 WHERE signer = ?1 AND place = ?2", signer, .text(target.place),
      .bytes(target.keys), .number(now))
    guard renewed == 0 else { return nil }
    guard change.mayAdd else { return NewDevices.refusal }
    let used = try targets(of: signer)
    if used >= limits.targets {
      try dropOldest(of: signer)
    } else if counts.targets >= limits.registrations {
      return ProxyRefusal(503, .notStored, "The proxy has no room for further devices.")
    }
    try database.write(
      "INSERT INTO registrations (signer, place, keys, since, seen) VALUES (?1, ?2, ?3, ?4, ?4)", signer, .text(target.place),
      .bytes(target.keys), .number(now))
    counts.targets += 1
    isAdded = true
    if used == 0 {
      counts.keys += 1
      isNew = true
    }
    return nil
  }

  private mutating func dropOldest(of signer: RegistrationsValue) throws(RegistrationsError) {
    let count = try database.write(
      """
      DELETE FROM registrations WHERE signer = ?1
      AND place = (SELECT place FROM registrations WHERE signer = ?1 ORDER BY seen, since, place LIMIT 1)
      """, signer)
    counts.targets -= count
    forgotten += count
  }

  private mutating func unregister(_ place: String, _ signer: RegistrationsValue) throws(RegistrationsError) {
    let count = try database.write("DELETE FROM registrations WHERE signer = ?1 AND place = ?2", signer, .text(place))
    try dropped(count, of: signer)
  }

  /// The pairs of a key stay: its app registers a new device, but does not pair its clients again.
  private mutating func forget(_ place: String, before: Int64?) throws(RegistrationsError) {
    let signers = try database.rows(
      "SELECT signer FROM registrations WHERE place = ?1 AND seen <= ?2", .text(place), .number(before ?? .max)
    ) { $0.bytes(0) }
    for signer in signers { try unregister(place, .bytes(signer)) }
  }

  /// Notes that a device of a key was heard of, unless it was lately.
  mutating func renew(
    _ target: PushTarget, of key: PublicKey, now: Int64, after pause: Int64
  ) throws(RegistrationsError) {
    try change { writer throws(RegistrationsError) in
      try writer.database.write(
        "UPDATE registrations SET seen = ?3 WHERE signer = ?1 AND place = ?2 AND seen < ?4", .bytes(key.bytes),
        .text(target.place), .number(now), .number(now - pause))
    }
  }

  /// Removes devices that were not heard of since some time, and pairs that were made before it and whose keys have no device: at most
  /// `mostExpired` devices at once.
  /// - Parameter now: seconds since 1970. A clock that is ahead removes nothing that is younger than the device that was heard of last.
  /// - Returns: how many devices were removed.
  mutating func expire(after age: Int64, now: Int64) throws(RegistrationsError) -> Int {
    try change { writer throws(RegistrationsError) in
      let database = writer.database
      let last = min(now, try database.number("SELECT coalesce(max(seen), 0) FROM registrations"))
      let count = try database.write(
        """
        DELETE FROM registrations WHERE (signer, place) IN (SELECT signer, place FROM registrations WHERE seen < ?1 LIMIT ?2)
        """, .number(last - age), .number(Self.mostExpired))
      let pairs = try database.write(
        """
        DELETE FROM pairs WHERE since < ?1
        AND NOT EXISTS (SELECT 1 FROM registrations WHERE registrations.signer = pairs.signer)
        """, .number(last - age))
      guard count > 0 || pairs > 0 else { return 0 }
      (writer.counts, writer.isNew) = (try database.counts(), true)
      return count
    }
  }

  /// The most devices that `expire` removes at once.
  static let mostExpired: Int64 = 10_000

  private mutating func dropped(_ count: Int, of signer: RegistrationsValue) throws(RegistrationsError) {
    guard count > 0 else { return }
    counts.targets -= count
    guard try targets(of: signer) == 0 else { return }
    counts.keys -= 1
    isNew = true
  }

  private func targets(of signer: RegistrationsValue) throws(RegistrationsError) -> Int {
    Int(try database.number("SELECT count(*) FROM registrations WHERE signer = ?1", signer))
  }

  // MARK: clients

  private mutating func pair(
    _ client: PublicKey, _ relays: [WebSocketURL], _ signer: RegistrationsValue, _ now: Int64
  ) throws(RegistrationsError) -> ProxyRefusal? {
    guard try targets(of: signer) > 0 else {
      return ProxyRefusal(409, .notRegistered, "This key has no registered device. Register one first.")
    }
    let rows = try pairs(of: signer)
    let (own, others) = (rows.filter { $0.client == client }, rows.filter { $0.client != client })
    if let refusal = refusal(of: relays, beside: others) { return refusal }
    let (old, new) = (Set(own.map(\.relay)), Set(relays.map(\.text)))
    guard try makesRoom(for: new.count - old.count) else {
      return ProxyRefusal(503, .notStored, "The proxy has no room for further clients.")
    }
    let key = RegistrationsValue.bytes(client.bytes.array)
    for relay in old.subtracting(new) { try remove(signer, key, relay) }
    for relay in new.subtracting(old) { try add(signer, key, relay, now) }
    if old.isEmpty, !new.isEmpty { counts.clients += 1 }
    if old != new { isNew = true }
    return nil
  }

  private func refusal(of relays: [WebSocketURL], beside others: [Pair]) -> ProxyRefusal? {
    guard !relays.isEmpty else { return ProxyRefusal(400, .noRelays, "“relay_urls” is empty.") }
    guard relays.count <= limits.relays else {
      return ProxyRefusal(
        400, .relayLimitPerPair, "A client can have at most \(limits.relays) relays.",
        [.init(name: "limit", value: Int64(limits.relays)), .init(name: "requested", value: Int64(relays.count))])
    }
    let used = Set(others.map(\.client)).count
    guard used < limits.clients else {
      return ProxyRefusal(
        409, .pairingLimit, "A signer key can have at most \(limits.clients) clients.",
        [.init(name: "limit", value: Int64(limits.clients)), .init(name: "used", value: Int64(used))])
    }
    let novel = Set(others.compactMap { try? WebSocketURL(parsing: $0.relay) }).union(relays).count
    guard novel <= limits.novelRelays else {
      return ProxyRefusal(
        409, .novelRelayQuota, "The clients of a signer key can have at most \(limits.novelRelays) different relays.",
        [.init(name: "limit", value: Int64(limits.novelRelays))])
    }
    return nil
  }

  private mutating func unpair(_ client: RegistrationsValue, _ signer: RegistrationsValue) throws(RegistrationsError) {
    let count = try database.write("DELETE FROM pairs WHERE signer = ?1 AND client = ?2", signer, client)
    guard count > 0 else { return }
    counts.pairs -= count
    counts.clients -= 1
    isNew = true
  }

  private struct Pair {
    let client: PublicKey
    let relay: String
  }

  private func pairs(of signer: RegistrationsValue) throws(RegistrationsError) -> [Pair] {
    try database.rows("SELECT client, relay FROM pairs WHERE signer = ?1", signer) { row in
      Bytes32(row.bytes(0)).map { Pair(client: PublicKey($0), relay: row.string(1)) }
    }
  }

  private mutating func add(
    _ signer: RegistrationsValue, _ client: RegistrationsValue, _ relay: String, _ now: Int64
  ) throws(RegistrationsError) {
    try database.write(
      "INSERT INTO pairs (signer, client, relay, since) VALUES (?1, ?2, ?3, ?4)", signer, client, .text(relay), .number(now))
    counts.pairs += 1
  }

  private mutating func remove(
    _ signer: RegistrationsValue, _ client: RegistrationsValue, _ relay: String
  ) throws(RegistrationsError) {
    counts.pairs -= try database.write(
      "DELETE FROM pairs WHERE signer = ?1 AND client = ?2 AND relay = ?3", signer, client, .text(relay))
  }

  private mutating func makesRoom(for count: Int) throws(RegistrationsError) -> Bool {
    if counts.pairs + count > limits.pairs {
      lacksRoom = true
      if dropsAtOnce { try dropPairs() }
    }
    return counts.pairs + count <= limits.pairs
  }

  private mutating func dropPairs() throws(RegistrationsError) {
    let deleted = try database.write(
      """
      DELETE FROM pairs WHERE signer IN (
        SELECT DISTINCT signer FROM pairs WHERE NOT EXISTS (SELECT 1 FROM registrations WHERE registrations.signer = pairs.signer)
        LIMIT ?1)
      """, .number(Self.mostDropped))
    guard deleted > 0 else { return }
    counts.pairs -= deleted
    counts.clients = try database.counts().clients
  }
}
