import RemoteSigning
import Vault

extension FuzzTarget {
  /// What the vault hands back: pairings, links and waiting requests as JSON; its header and summary as bytes. What is read is written so
  /// that reading gives the same.
  static let records = FuzzTarget("records") { (bytes) throws(FuzzFault) in
    let input = Array(bytes)
    if let pairing = try? Pairing(record: input) {
      let again = try unfailing("a pairing's record is read") { () throws(RecordError) in try Pairing(record: pairing.record) }
      try require(again == pairing && again.record == pairing.record, "a pairing survives a round trip")
    }
    if let link = try? OpenLink(record: input) {
      let again = try unfailing("a link's record is read") { () throws(RecordError) in try OpenLink(record: link.record) }
      try require(again == link, "a link survives a round trip")
    }
    if let request = try? PendingRequest(record: input) {
      let again = try unfailing("a request's record is read") { () throws(RecordError) in
        try PendingRequest(record: request.record)
      }
      try require(again == request, "a request survives a round trip")
    }
    if let answer = try? OwnerAnswer(record: input) {
      let again = try unfailing("an answer's record is read") { () throws(RecordError) in try OwnerAnswer(record: answer.record) }
      try require(again == answer, "an answer survives a round trip")
    }
    if let header = try? VaultHeader(input) { try require(header.bytes == input, "a header has one form") }
    let framed = Array("HFVAULT\0".utf8) + [0, 0, 0, 2] + input
    if let header = try? VaultHeader(framed) { try require(header.bytes == framed, "a header has one form") }
    _ = try? VersionOneHeader(input)
    _ = try? VersionOneHeader(Array("HFVAULT\0".utf8) + [0, 0, 0, 1] + input)
    if let summary = VaultSummary(input) { try require(summary.bytes == input, "a summary has one form") }
  }
}
