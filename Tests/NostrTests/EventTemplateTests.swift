import Curve
import JSON
import Nostr
import Testing

@Suite("sign_event templates")
struct EventTemplateTests {
  @Test("The drafts that different apps send are read") func readsWhatEachClientSends() throws {
    let key = try Samples.key(1).publicKey
    let full = try EventTemplate(
      parsing:
        #"{"id":7,"sig":null,"kind":1,"content":"x","tags":[["p","q"]],"created_at":5,"pubkey":"\#(key.hex.uppercased())"}"#.bytes
    )
    #expect(full.pubkey == key && full.createdAt == 5 && full.kind == 1 && full.tags == [["p", "q"]] && full.content == "x")
    let least = try EventTemplate(parsing: #"{"kind":"30023","content":"","tags":null,"created_at":null,"pubkey":null}"#.bytes)
    #expect(least.pubkey == nil && least.createdAt == nil && least.kind == 30023 && least.tags.isEmpty)
    let empty = try EventTemplate(parsing: #"{"kind":1,"content":"","id":"","pubkey":"","sig":""}"#.bytes)
    #expect(empty.pubkey == nil, "some apps write fields they have nothing for")
    let unsigned = least.unsigned(by: key, now: 9)
    #expect(unsigned.pubkey == key && unsigned.createdAt == 9)
  }

  @Test(
    "A draft that could be misread is refused",
    arguments: [
      (#"{"content":""}"#, EventError.missing(.kind)),
      (#"{"kind":1}"#, .missing(.content)),
      (#"{"kind":65536,"content":""}"#, .outOfRange(.kind, at: 13)),
      (#"{"kind":"65536","content":""}"#, .outOfRange(.kind, at: 9)),
      (#"{"kind":"01","content":""}"#, .outOfRange(.kind, at: 9)),
      (#"{"kind":"-1","content":""}"#, .outOfRange(.kind, at: 9)),
      (#"{"kind":"","content":""}"#, .outOfRange(.kind, at: 9)),
      (#"{"kind":1.5,"content":""}"#, .json(.notInteger(at: 8))),
      (#"{"kind":1,"content":"","created_at":1.5}"#, .json(.notInteger(at: 36))),
      (#"{"kind":1,"content":"","pubkey":"ab"}"#, .notHex(.pubkey, at: 33)),
      (#"{"kind":1,"content":"","tags":null,"tags":[]}"#, .duplicate(.tags, at: 36)),
      (#"{"kind":1,"content":"","kind":2}"#, .duplicate(.kind, at: 24)),
      (#"["kind"]"#, .json(.wrongType(at: 0))),
      (#"{"kind":1,"content":""} {}"#, .json(.trailingBytes(at: 24))),
    ])
  func rejectsWhatCouldBeMisread(text: String, fault: EventError) {
    #expect(throws: fault) { try EventTemplate(parsing: text.bytes) }
  }
}
