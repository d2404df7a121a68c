import Curve
package import Encodings
import Platform

/// The requests that woke a signer, or are about to: a proxy that is killed between the two wakes it at its next start, and none wakes twice
/// because a relay sends it again. What was asked is not stored.
extension Registrations {
  /// How long a claim is remembered after its request has expired, in seconds: older events are refused by their date.
  static let claimSeconds = RequestScreen.oldest

  /// Notes requests before anybody is woken for them, all with one write.
  /// - Parameter over: requests whose devices were woken meanwhile, noted with the same write.
  /// - Returns: those that were not noted before. When this returns, they are on the disk.
  package func claim(
    _ requests: [WakeRequest], over: [Bytes32] = [], now: Int64
  ) throws(RegistrationsError) -> [WakeRequest] {
    try written { writer throws(RegistrationsError) in
      let database = writer.database
      return try database.transaction { () throws(RegistrationsError) in
        try Self.settle(over, in: database)
        try database.write("DELETE FROM claims WHERE expires < ?1", .number(now - Self.claimSeconds))
        var new: [WakeRequest] = []
        for request in requests where try Self.claim(request, in: database) { new.append(request) }
        return new
      }
    }
  }

  private static func claim(_ request: WakeRequest, in database: any RegistrationsConnection) throws(RegistrationsError) -> Bool {
    try database.write(
      "INSERT OR IGNORE INTO claims (request, signer, relay, expires, is_over) VALUES (?1, ?2, ?3, ?4, 0)",
      .bytes(request.id), .bytes(request.signer.bytes), .text(request.relay), .number(request.expires)) == 1
  }

  /// Notes that the devices of these requests were woken, or that it was given up.
  package func settle(_ requests: [Bytes32]) throws(RegistrationsError) {
    guard !requests.isEmpty else { return }
    try written { writer throws(RegistrationsError) in
      let database = writer.database
      try database.transaction { () throws(RegistrationsError) in try Self.settle(requests, in: database) }
    }
  }

  private static func settle(_ requests: [Bytes32], in database: any RegistrationsConnection) throws(RegistrationsError) {
    for request in requests {
      try database.write("UPDATE claims SET is_over = 1 WHERE request = ?1", .bytes(request))
    }
  }

  /// The requests whose devices may not have been woken when the proxy ended, and that are still of use.
  package func openClaims(now: Int64) throws(RegistrationsError) -> [WakeRequest] {
    try reader.withLock { reader throws(RegistrationsError) in
      try reader.database.rows(
        "SELECT request, signer, relay, expires FROM claims WHERE is_over = 0 AND expires > ?1 ORDER BY expires", .number(now)
      ) { row in
        guard let id = Bytes32(row.bytes(0)), let signer = Bytes32(row.bytes(1)) else { return nil }
        return WakeRequest(id: id, signer: PublicKey(signer), relay: row.string(2), expires: row.integer(3))
      }
    }
  }

  package func recentClaims(_ most: Int) throws(RegistrationsError) -> [Bytes32] {
    try reader.withLock { reader throws(RegistrationsError) in try reader.database.recentClaims(most) }
  }
}

extension RegistrationsConnection {
  /// The requests that were noted lately, the newest first.
  func recentClaims(_ most: Int) throws(RegistrationsError) -> [Bytes32] {
    try rows("SELECT request FROM claims ORDER BY expires DESC LIMIT ?1", .number(Int64(most))) { Bytes32($0.bytes(0)) }
  }
}
