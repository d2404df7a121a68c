import Curve
import Encodings

/// What proxies that share a database ask of it. All times are those of the database's clock.
extension PostgresConnection {
  /// Notes a request, and that others are over, and finds the devices to wake, in one round trip.
  /// - Returns: nil for a request that was noted before.
  func claim(_ request: WakeRequest, over: [Bytes32], for proxy: Int64) throws(RegistrationsError) -> [PushTarget]? {
    var (isNew, targets): (Bool, [PushTarget]) = (false, [])
    _ = try execute(
      """
      WITH settled AS (UPDATE claims SET is_over = 1 WHERE request = ANY (?6::bytea[])), noted AS (
        INSERT INTO claims (request, signer, relay, expires, is_over, owner)
        VALUES (?1, ?2, ?3, extract(epoch FROM now())::bigint + ?4, 0, ?5) ON CONFLICT (request) DO NOTHING RETURNING signer
      )
      SELECT place, keys FROM noted LEFT JOIN registrations USING (signer) ORDER BY seen DESC, place
      """, .writing,
      [
        .bytes(request.id), .bytes(request.signer.bytes), .text(request.relay), .number(Wake.usefulSeconds), .number(proxy),
        Self.list(over),
      ]
    ) { row in
      isNew = true
      if let target = PushTarget(place: row.string(0), keys: row.bytes(1)) { targets.append(target) }
    }
    return isNew ? targets : nil
  }

  /// Whether this proxy noted a request, and has not woken for it: after a claim whose answer was lost.
  func hasClaimed(_ request: WakeRequest, for proxy: Int64) throws(RegistrationsError) -> Bool {
    try number("SELECT 1 FROM claims WHERE request = ?1 AND owner = ?2 AND is_over = 0", .bytes(request.id), .number(proxy)) == 1
  }

  func settle(_ requests: [Bytes32]) throws(RegistrationsError) {
    try write("UPDATE claims SET is_over = 1 WHERE request = ANY (?1::bytea[])", Self.list(requests))
  }

  /// As PostgreSQL writes an array.
  private static func list(_ requests: [Bytes32]) -> RegistrationsValue {
    .text("{" + requests.map { "\"\\\\x\($0.hex)\"" }.joined(separator: ",") + "}")
  }

  /// What a proxy learns when it says that it lives.
  struct Beat {
    var proxies: LiveProxies
    /// Grows with each change of keys and relays.
    var revision: Int64 = 0
    /// Seconds since 1970.
    var clock: Int64 = 0
    /// The version of the tables.
    var version: Int64 = 0
  }

  /// Says that a proxy lives.
  /// - Parameter isReliable: whether others may count on it. If not, or after a time in which it counted as dead, they look after its keys as
  ///   well, until it has been reliable for a while.
  func beat(_ proxy: Int64, isReliable: Bool) throws(RegistrationsError) -> Beat {
    var found = Beat(proxies: LiveProxies(own: proxy))
    _ = try execute(
      """
      WITH beat AS (
        INSERT INTO proxies (id) VALUES (?1) ON CONFLICT (id) DO UPDATE SET seen = now(), since = CASE
          WHEN ?4 = 1 AND proxies.seen BETWEEN now() - ?2 * interval '1 second' AND now() + ?2 * interval '1 second'
          THEN proxies.since ELSE now() END)
      SELECT revision, coalesce(id, ?1), since < now() - ?3 * interval '1 second', extract(epoch FROM now())::bigint, version FROM format
      LEFT JOIN proxies ON seen BETWEEN now() - ?2 * interval '1 second' AND now() + ?2 * interval '1 second'
      """, .writing,
      [
        .number(proxy), .number(LiveProxies.leaseSeconds), .number(LiveProxies.settlingSeconds), .number(isReliable ? 1 : 0),
      ]
    ) { row in
      (found.revision, found.clock, found.version) = (row.integer(0), row.integer(3), row.integer(4))
      let one = row.integer(1)
      if one != proxy { found.proxies.others.insert(one) }
      if row.integer(2) == 1 { found.proxies.settled.insert(one) }
    }
    return found
  }

  /// Whether there are requests for `takeClaimsOfDead`.
  func hasClaimsOfDead(for proxy: Int64) throws(RegistrationsError) -> Bool {
    try number(
      """
      SELECT 1 FROM claims WHERE is_over = 0 AND owner <> ?1 AND expires > extract(epoch FROM now())::bigint AND NOT EXISTS (
        SELECT 1 FROM proxies WHERE id = owner AND seen BETWEEN now() - ?2 * interval '1 second' AND now() + ?2 * interval '1 second')
      LIMIT 1
      """, .number(proxy), .number(LiveProxies.leaseSeconds)) == 1
  }

  /// Takes over requests that dead proxies noted, and may not have woken for. Proxies that do so at once take different ones.
  func takeClaimsOfDead(
    for proxy: Int64, now: Int64
  ) throws(RegistrationsError) -> [(request: WakeRequest, targets: [PushTarget])] {
    var taken: [(request: WakeRequest, targets: [PushTarget])] = []
    _ = try execute(
      """
      WITH taken AS (
        UPDATE claims SET owner = ?1 WHERE request = ANY (ARRAY(
          SELECT request FROM claims
          WHERE is_over = 0 AND owner <> ?1 AND expires > extract(epoch FROM now())::bigint AND NOT EXISTS (
            SELECT 1 FROM proxies WHERE id = owner
            AND seen BETWEEN now() - ?2 * interval '1 second' AND now() + ?2 * interval '1 second')
          ORDER BY expires LIMIT 256 FOR UPDATE SKIP LOCKED))
        RETURNING request, signer, relay, expires - extract(epoch FROM now())::bigint AS seconds)
      SELECT request, signer, relay, seconds, place, keys FROM taken LEFT JOIN registrations USING (signer) ORDER BY request
      """, .writing, [.number(proxy), .number(LiveProxies.leaseSeconds)]
    ) { row in
      guard let id = Bytes32(row.bytes(0)), let signer = Bytes32(row.bytes(1)) else { return }
      if taken.last?.request.id != id {
        taken.append((WakeRequest(id: id, signer: PublicKey(signer), relay: row.string(2), left: row.integer(3), now: now), []))
      }
      if let target = PushTarget(place: row.string(4), keys: row.bytes(5)) { taken[taken.count - 1].targets.append(target) }
    }
    return taken
  }

  /// Deletes rows that are out of date: a limited number at once, so that it does not take long, and none that another session has locked.
  func prune() throws(RegistrationsError) {
    try write(
      """
      DELETE FROM claims WHERE request = ANY (ARRAY(
        SELECT request FROM claims WHERE expires < extract(epoch FROM now())::bigint - ?1 LIMIT ?2 FOR UPDATE SKIP LOCKED))
      """, .number(Registrations.claimSeconds), .number(Self.mostPruned))
    try write(
      """
      DELETE FROM spent WHERE event = ANY (ARRAY(
        SELECT event FROM spent WHERE expires < extract(epoch FROM now())::bigint - ?1 LIMIT ?2 FOR UPDATE SKIP LOCKED))
      """, .number(Self.spentSeconds), .number(Self.mostPruned))
    try write(
      """
      DELETE FROM proxies WHERE id = ANY (ARRAY(
        SELECT id FROM proxies WHERE seen < now() - interval '1 hour' LIMIT ?1 FOR UPDATE SKIP LOCKED))
      """, .number(Self.mostPruned))
  }

  /// The most rows of a table that are deleted at once.
  private static let mostPruned: Int64 = 10_000

  /// How long an authorization is remembered after it has expired, in seconds: the clock of a proxy may be behind so much.
  static let spentSeconds: Int64 = 600

  /// Ends a proxy: others look after its keys, and have what it did not do.
  func leave(_ proxy: Int64) throws(RegistrationsError) {
    try transaction { () throws(RegistrationsError) in
      try write("DELETE FROM proxies WHERE id = ?1", .number(proxy))
      try announceChanges()
    }
  }
}
