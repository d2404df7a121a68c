import Curve
import DaemonSupport
import Encodings
import JSON
import Nostr
import RemoteSigning
import TestSupport
import Testing

@testable import RequestPreview
@testable import Signer

/// What a stranger wrote, shown on the owner's terminal.
@Suite struct SummaryTests {
  static let hostile: [String] = [
    "\u{1b}[2J\u{1b}]0;title\u{7}", "a\r\nid: 1 approve me", "\u{9b}31m", "\u{202e}drowssap", "\u{2066}x\u{2069}",
    "\u{0}\u{8}\u{7f}",
    "\u{2028}\u{2029}\u{85}", "\u{e0041}\u{200b}\u{feff}", "\u{1b}P+q\u{1b}\\", "\u{e000}\u{10ffff}", "ok“”; approved",
  ]

  static func isQuiet(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
      default: true
      }
    }
  }

  static func request(_ method: RemoteSigning.Method, _ parameters: [String], kind: Int? = nil) throws -> PendingRequest {
    let key = try KeyPair.random().publicKey
    return PendingRequest(
      name: "abcdef12", remoteSigner: key, client: key, identity: key, method: method,
      parameters: parameters.map { Array($0.utf8) },
      kind: kind, rule: .lowTrust, eventID: key.bytes, receivedAt: 1, replies: [])
  }

  @Test("A one-line summary holds no control characters, whatever a stranger sends", arguments: hostile)
  func nothingOfAStrangersMovesTheCursor(text: String) throws {
    for method in RemoteSigning.Method.allCases {
      for parameters in [[], [text], [text, text], [note(text, kind: 1)], [note(text, kind: 65_535), text]] {
        let line = RequestSummary.text(try Self.request(method, parameters, kind: 1))
        #expect(Self.isQuiet(line) && !line.isEmpty && line.count < 300, "\(method)")
      }
    }
  }

  @Test("Control characters from strangers reach no list, log or status that the owner reads")
  func nothingOfAStrangersReachesTheOwnersOutput() throws {
    let signer = try Signer()
    for text in Self.hostile {
      let (first, secret) = try signer.appWithLink(trust: "low")
      let metadata = String(
        decoding: JSONValue.object([.init("name", .string(text)), .init("url", .string(text))]).serialized(), as: UTF8.self)
      #expect(try signer.ask(first, "connect", [first.signer.hex, secret, text, metadata]) == .result("ack"))
      signer.settle()
      try signer.deliver(first, "sign_event", [note(text)])
      try signer.deliver(first, text, [text])
    }
    for operation in ["client/list", "request/list", "log/show", "status"] {
      Self.check(try signer.operations.ask(operation), operation)
    }
    for request in signer.core.engine.pendingRequests {
      Self.check(try signer.operations.ask("request/show", ["id": .string(request.name)]), "request/show")
    }
    for client in signer.core.engine.pairings {
      Self.check(try signer.operations.ask("client/show", ["client": .string(client.client.hex)]), "client/show")
    }
    #expect(signer.core.engine.pendingRequests.count == Self.hostile.count)
    signer.close()
  }

  /// Of an account's parts, a text alone may have more than one line.
  static func check(_ value: JSONValue, _ place: String, mayBreak: Bool = false) {
    if let text = value.string { #expect(isQuiet(mayBreak ? text.filter { $0 != "\n" } : text), "\(place)") }
    for element in value.array ?? [] { check(element, place) }
    for member in value.members ?? [] {
      #expect(isQuiet(member.key))
      check(member.value, place, mayBreak: value["type"] == "text" && member.key == "text")
    }
  }

  @Test("A summary says what the request would do, and cuts long text") func summariesSayWhatWouldBeDone() throws {
    let peer = try KeyPair.random().publicKey
    let table: [(RemoteSigning.Method, [String], Int?, String)] = [
      (.signEvent, [note("hi", kind: 1)], 1, "sign kind 1 (note): “hi”"),
      (.signEvent, [note("", kind: 3)], 3, "sign kind 3 (follow list)"),
      (.signEvent, [#"{"kind":5,"content":"","tags":[["e","x"]]}"#], 5, "sign kind 5 (deletion), 1 tag"),
      (.signEvent, [#"{"kind":40000,"content":"a\nb","tags":[["e"],["e"]]}"#], 40_000, "sign kind 40000: “a b”, 2 tags"),
      (.nip44Encrypt, [peer.hex, "héllo"], nil, "encrypt 6 bytes to \(peer.npub)"),
      (.nip04Decrypt, [peer.hex, "x"], nil, "decrypt a message from \(peer.npub)"),
      (.nip44Decrypt, ["nonsense", "x"], nil, "decrypt a message from an unknown key"),
    ]
    for (method, parameters, kind, text) in table {
      #expect(RequestSummary.text(try Self.request(method, parameters, kind: kind)) == text)
    }
    let ended = try Self.request(.signEvent, [note("hi”, 0 tags. Checked: holdfast log show “")], kind: 1)
    #expect(RequestSummary.text(ended) == "sign kind 1 (note): “hi\", 0 tags. Checked: holdfast\u{A0}log show \"”")
    let long = RequestSummary.text(try Self.request(.signEvent, [note(String(repeating: "é", count: 5000))], kind: 1))
    #expect(long == "sign kind 1 (note): “" + String(repeating: "é", count: RequestSummary.longestExcerpt) + "…”")
  }
}
