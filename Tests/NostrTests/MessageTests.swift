import Curve
import Encodings
import JSON
import Nostr
import TestSupport
import Testing

@Suite("Relay messages and filters")
struct MessageTests {
  @Test("Client messages read back as they were written") func clientMessagesReadBack() throws {
    var generator = Repeatable.announced()
    let event = try Samples.event(&generator)
    let filters = [Filter(kinds: [24133], since: 3, tags: ["p": ["aa"], "A": ["é\n"]]), Filter(ids: [event.id], limit: 0)]
    let messages = [
      ClientMessage.event(event), .auth(event), .close(subscription: "s\"1"), .request(subscription: "s", filters: filters),
    ]
    for message in messages { #expect(try ClientMessage(parsing: message.json()).json() == message.json()) }
    guard case .request(_, let back) = try ClientMessage(parsing: messages[3].json()) else {
      Issue.record("not a request")
      return
    }
    #expect(back == filters)
    #expect(
      messages[3].json().text
        == ##"["REQ","s",{"kinds":[24133],"since":3,"#A":["é\n"],"#p":["aa"]},{"ids":["\##(event.id.hex)"],"limit":0}]"##)
  }

  @Test("Relay messages read back as they were written") func relayMessagesReadBack() throws {
    var generator = Repeatable.announced()
    let event = try Samples.event(&generator)
    let messages = [
      RelayMessage.event(subscription: "s", event), .ok(id: event.id, accepted: false, message: "blocked: \"no\""),
      .endOfStored(subscription: "s"), .closed(subscription: "s", message: "auth-required: "), .notice("é"),
      .auth(challenge: "c"),
    ]
    for message in messages { #expect(try RelayMessage(parsing: message.json()).json() == message.json()) }
    #expect(messages[1].json().text == #"["OK","\#(event.id.hex)",false,"blocked: \"no\""]"#)
  }

  @Test("Missing and extra parts of relay messages are tolerated") func toleratesWhatRelaysLeaveOutOrAdd() throws {
    let id = String(repeating: "ab", count: 32)
    for text in [#"["OK","\#(id)",true]"#, #"["OK","\#(id)",true,"",{"x":1}]"#, #" [ "CLOSED" , "s" ] "#, #"["EOSE","s",1]"#] {
      #expect(throws: Never.self, "\(text)") { try RelayMessage(parsing: text.bytes) }
    }
  }

  @Test(
    "Malformed relay messages are refused",
    arguments: [
      ("[]", EventError.missingElement(index: 0)),
      (#"["EVENT"]"#, .missingElement(index: 1)),
      (#"["EVENT","s"]"#, .missingElement(index: 2)),
      (#"["HELLO"]"#, .unknownMessage),
      (#"["event","s",{}]"#, .unknownMessage),
      (#"["EVENT","",{}]"#, .malformedSubscription),
      (#"["EOSE","\#(String(repeating: "x", count: 65))"]"#, .malformedSubscription),
      (#"["EVENT","s",{}]"#, .missing(.id)),
      (#"["OK","ab",true,""]"#, .notHex(.id, at: 7)),
      (#"["OK","\#(String(repeating: "ab", count: 32))","true",""]"#, .json(.wrongType(at: 73))),
      (#"{"EVENT":1}"#, .json(.wrongType(at: 0))),
      (#"["NOTICE","a"]["#, .json(.trailingBytes(at: 14))),
      (#"["NOTICE","a","#, .json(.unexpectedEnd(at: 14))),
    ])
  func rejectsMalformedRelayMessages(text: String, fault: EventError) {
    #expect(throws: fault) { try RelayMessage(parsing: text.bytes) }
  }

  @Test(
    "Malformed client messages are refused",
    arguments: [
      (#"["REQ","s"]"#, EventError.missingElement(index: 2)),
      (#"["REQ","s",{"ids":["ab"]}]"#, .malformedFilter(at: 20)),
      (#"["REQ","s",{"kinds":[65536]}]"#, .outOfRange(.kind, at: 26)),
      (#"["REQ","s",{"limit":-1}]"#, .malformedFilter(at: 22)),
      (#"["REQ","s",{"kinds":[1],"kinds":[2]}]"#, .malformedFilter(at: 25)),
      (##"["REQ","s",{"#pp":[]}]"##, .malformedFilter(at: 13)),
      (##"["REQ","s",{"#":[]}]"##, .malformedFilter(at: 13)),
      (##"["REQ","s",{"#p":[1]}]"##, .json(.wrongType(at: 18))),
      (#"["REQ","s",{"since":"1"}]"#, .json(.wrongType(at: 20))),
      (#"["CLOSE"]"#, .missingElement(index: 1)),
      (#"["OK","s"]"#, .unknownMessage),
    ])
  func rejectsMalformedClientMessages(text: String, fault: EventError) {
    #expect(throws: fault) { try ClientMessage(parsing: text.bytes) }
  }

  @Test("Filters are limited in number and size") func boundsFilters() {
    let many = #"["REQ","s""# + String(repeating: ",{}", count: 17) + "]"
    #expect(throws: EventError.tooManyFilterValues(limit: 16)) { try ClientMessage(parsing: many.bytes) }
    let wide = ##"{"kinds":[1,2],"#p":["a","b"]}"##
    #expect(throws: EventError.tooManyFilterValues(limit: 3)) { try Filter(parsing: wide.bytes, limits: .init(filterValues: 3)) }
  }

  @Test("Filters match events as NIP-01 defines") func filtersMatchAsNIP01Says() throws {
    let key = try Samples.key(1)
    let event = try UnsignedEvent(
      pubkey: key.publicKey, createdAt: 100, kind: 24133,
      tags: [["p", "aa", "x"], ["p", "bb"], ["e"], ["\u{212a}", "k"], ["t", "\u{e9}"]]
    ).signed(by: key)
    let matching = [
      Filter(), Filter(ids: [event.id]), Filter(authors: [key.publicKey]), Filter(kinds: [1, 24133]),
      Filter(since: 100, until: 100), Filter(limit: 0), Filter(tags: ["p": ["cc", "bb"]]),
    ]
    for filter in matching { #expect(filter.matches(event), "\(filter.json().text)") }
    let others = [
      Filter(ids: []), Filter(ids: [Bytes32()]), Filter(authors: []), Filter(kinds: [1]), Filter(since: 101), Filter(until: 99),
      Filter(tags: ["p": ["x"]]), Filter(tags: ["P": ["aa"]]), Filter(tags: ["e": [""]]), Filter(tags: ["p": []]),
      Filter(tags: ["K": ["k"]]),
      Filter(tags: ["t": ["e\u{301}"]]),
      Filter(kinds: [24133], tags: ["p": ["aa"], "e": ["y"]]),
    ]
    for filter in others { #expect(!filter.matches(event), "\(filter.json().text)") }
  }
}
