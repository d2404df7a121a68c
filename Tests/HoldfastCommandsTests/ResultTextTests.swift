import JSON
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

@Suite struct ResultTextTests {
  private func text(_ operation: String, _ result: JSONValue) -> String { ResultText.text(for: operation, result, now: 10_000) }

  @Test func listsIdentities() {
    let list: JSONValue = [
      "identities": [
        ["name": "alice", "npub": "npub1a", "default": true, "created": 1_700_000_000], ["name": "bob", "npub": "npub1b"],
      ]
    ]
    let lines = text("identity/list", list).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("alice  npub1a") && lines[1].hasSuffix("default"))
    #expect(lines[2] == "bob    npub1b")
    #expect(text("identity/list", ["identities": []]).contains("identity create"))
  }

  @Test func coloursAreOnATerminalOnly() {
    let fox: JSONValue = ["name": "a\u{25cf}", "npub": "npub1a", "colour": "#00897b", "emoji": "\u{1f98a}", "retired": true]
    let list: JSONValue = ["identities": [fox]]
    let plain = text("identity/list", list).split(separator: "\n")[1]
    #expect(plain.hasPrefix("\u{1f98a} a\u{25cf}  npub1a") && plain.hasSuffix("retired") && !plain.contains("\u{1b}"))
    let painted = ResultText.text(for: "identity/list", list, now: 0, colors: true)
    #expect(painted.contains("\u{1b}[38;2;0;137;123m\u{25cf}\u{1b}[0m \u{1f98a} a\u{25cf}"))
    #expect(painted.filter { $0 == "\u{1b}" }.count == 2)
    #expect(text("identity/show", fox).contains("#00897b \u{1f98a}") && !text("identity/show", fox).contains("\u{1b}"))
    let evil: JSONValue = ["name": "a", "colour": "\u{1b}[31m", "notes": "x\u{1b}[2J\nNAME b"]
    #expect(!ResultText.text(for: "identity/show", evil, now: 0, colors: true).contains("\u{1b}"))
    #expect(ResultText.text(for: "identity/show", evil, now: 0).contains("\n       NAME b"))
  }

  @Test func showsTheWholeLink() {
    let link = "bunker://" + String(repeating: "a", count: 1000)
    #expect(text("pair/new", ["bunker": .string(link), "identity": "alice", "trust": "medium"]).hasPrefix(link + "\n"))
  }

  @Test func saysWhyARequestWaits() {
    let list: JSONValue = [
      "requests": [
        [
          "id": "4", "client": ["name": "Amethyst"], "title": "Change your profile", "summary": "sign kind 0 (profile)",
          "identity": ["name": "alice"], "received": 9000, "reason": "protected kind",
        ]
      ]
    ]
    let shown = text("request/list", list)
    #expect(shown.contains("4  Amethyst: Change your profile\n    would sign kind 0 (profile)\n    as alice"))
    #expect(shown.contains("16 min ago") && shown.contains("protected kind") && shown.contains("request approve"))
    #expect(text("request/list", ["requests": []]) == "Nothing waits for you.")
  }

  @Test func saysWhatIsWrongWithTheRecord() {
    #expect(text("log/verify", ["ok": true, "entries": 12]).contains("12 entries"))
    #expect(text("log/verify", ["ok": false, "fault": "entry 7"]).contains("entry 7"))
  }

  static let operations = [
    "identity/list", "identity/create", "identity/default", "identity/delete", "pair/new", "pair/accept", "client/list",
    "client/show", "client/revoke", "request/list", "request/show", "request/approve", "log/show", "log/verify", "status",
  ]

  @Test(arguments: operations) func nothingAStrangerNamesReachesTheTerminalRaw(operation: String) {
    let evil: JSONValue = "\u{1B}]0;owned\u{7}\u{202E}\r\n"
    let names = [
      "name", "npub", "pubkey", "bunker", "client", "client_name", "summary", "reason", "identity", "trust", "url", "fault",
      "rule", "method", "home", "version", "id", "entry", "decision", "console",
    ]
    let entry = JSONValue.object(names.map { .init($0, evil) })
    let lists = [
      "identities", "clients", "requests", "entries", "relays", "allowed", "denied", "requested", "permissions", "parts",
    ]
    let result = JSONValue.object(
      names.map { .init($0, evil) } + lists.map { .init($0, .array([entry, evil])) } + [.init("ok", false), .init("pid", 1)])
    let shown = text(operation, result)
    #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || !($0.properties.generalCategory == .control || $0.value == 0x202E) })
  }

  @Test(arguments: operations) func survivesAnAnswerWithoutMembers(operation: String) {
    #expect(!text(operation, [:]).contains("nil"))
    _ = text(operation, ["identities": 1, "clients": "x", "requests": [1], "entries": [[]], "relays": [nil], "uptime": -1])
  }

  @Test func complaintSaysWhatToDoNext() {
    let complaint = CommandError(.notReadable(code: 2), what: "The passphrase")
    #expect(
      complaint.text
        == "holdfast: The passphrase cannot be read: No such file or directory.\nCheck the file's name and its permissions.")
    #expect(complaint.json["exit"]?.integer == 1 && complaint.json["ok"]?.bool == false)
    #expect(CommandError(.failed, "a\u{1B}b").text == "holdfast: a\\u{1b}b")
  }

  @Test("Commands that are suggested name the home that was named") func suggestedCommandsNameTheHome() {
    let named = SuggestedCommands(home: "/tmp/a b's")
    #expect(
      named.text("Next: holdfast up, then (holdfast pair)")
        == #"Next: holdfast --home '/tmp/a b'\''s' up, then (holdfast --home '/tmp/a b'\''s' pair)"#)
    #expect(named.text("holdfast keeps your keys") == "holdfast keeps your keys", "a sentence is no command")
    #expect(SuggestedCommands(home: "/srv/keys").text("'holdfast log show'") == "'holdfast --home /srv/keys log show'")
    #expect(SuggestedCommands(home: nil).text("holdfast up") == "holdfast up")
  }
}
