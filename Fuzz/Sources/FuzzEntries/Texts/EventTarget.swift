import Curve
import Nostr

extension FuzzTarget {
  /// A read event is written so that reading gives the same event; so is the event made from a template.
  static let event = FuzzTarget("event") { (bytes) throws(FuzzFault) in
    if let event = try? Event(parsing: bytes) {
      let json = event.json()
      let again = try unfailing("a written event is read") { () throws(EventError) in try Event(parsing: json) }
      try require(again == event, "parse, write, parse gives the same event")
      try require(again.json() == json, "writing gives the same bytes twice")
      try require(event.hasCorrectID == (event.unsigned.id() == event.id), "both ways to the id agree")
      try require(event.kind >= 0 && event.kind <= 65535 && event.createdAt >= 0, "kind and time are in range")
      try unfailing("an event's JSON is a template") { () throws(EventError) in _ = try EventTemplate(parsing: json) }
      _ = (event.firstTag("p"), event.tagValues("e"))
    }
    if let template = try? EventTemplate(parsing: bytes) {
      let author = Keys.alice.publicKey
      let unsigned = template.unsigned(by: author, now: 1_700_000_000)
      try require(unsigned.pubkey == author && unsigned.kind == template.kind, "a template never chooses its signer")
      try require((0...65535).contains(unsigned.kind) && unsigned.createdAt >= 0, "a template's kind and time are in range")
      // The canonical form is JSON, and the same after a round trip.
      try require(unsigned.canonicalForm().first == UInt8(ascii: "["), "the canonical form is an array")
    }
    _ = try? Event(parsing: bytes, limits: .remoteSigning)
  }
}
