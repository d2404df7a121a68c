import Curve
import Encodings
import Sockets

/// What is asked of the registrations, in statements that both databases understand.
extension RegistrationsConnection {
  /// The devices of a key, the one that was heard of most recently first.
  func targets(of key: PublicKey) throws(RegistrationsError) -> [Registrations.Registration] {
    try rows(
      "SELECT place, keys, since, seen FROM registrations WHERE signer = ?1 ORDER BY seen DESC, place", .bytes(key.bytes)
    ) { row in
      PushTarget(place: row.string(0), keys: row.bytes(1)).map {
        Registrations.Registration(target: $0, since: row.integer(2), seen: row.integer(3))
      }
    }
  }

  /// The keys that have a device, in their order.
  func keys() throws(RegistrationsError) -> [PublicKey] {
    try rows("SELECT DISTINCT signer FROM registrations ORDER BY signer") { Bytes32($0.bytes(0)).map(PublicKey.init) }
  }

  /// The relays that pairs name, each with the keys that named it. Only keys that have a device, and that are wanted.
  func relays(where isWanted: (PublicKey) -> Bool = { _ in true }) throws(RegistrationsError) -> [WebSocketURL: [PublicKey]] {
    var found: [WebSocketURL: [PublicKey]] = [:]
    _ = try execute(
      """
      SELECT DISTINCT relay, signer FROM pairs WHERE EXISTS (SELECT 1 FROM registrations WHERE registrations.signer = pairs.signer)
      ORDER BY signer, relay
      """, .reading, []
    ) { row in
      guard let key = Bytes32(row.bytes(1)).map(PublicKey.init), isWanted(key),
        let relay = try? WebSocketURL(parsing: row.string(0))
      else { return }
      // A key may have one relay in two spellings. Its rows follow each other.
      if found[relay]?.last != key { found[relay, default: []].append(key) }
    }
    return found
  }

  /// Counts all rows.
  func counts() throws(RegistrationsError) -> Registrations.Counts {
    Registrations.Counts(
      targets: Self.count(try number("SELECT count(*) FROM registrations")),
      keys: Self.count(try number("SELECT count(*) FROM (SELECT DISTINCT signer FROM registrations) AS signers")),
      clients: Self.count(try number("SELECT count(*) FROM (SELECT DISTINCT signer, client FROM pairs) AS clients")),
      pairs: Self.count(try number("SELECT count(*) FROM pairs")))
  }

  /// How many rows a database says that there are. A server may say anything: no number is so large or small that counting on traps.
  static func count(_ number: Int64) -> Int { Int(min(max(0, number), 1 << 32)) }
}
