import Encodings
import JSON
import OwnerAPI
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

private let now: Int64 = 1_700_000_000

private func request(_ words: [String]) throws -> ControlRequest? {
  let line = try ArgumentParser.holdfast.parse(words)
  guard var command = HoldfastTree.command(line.path) else { return nil }
  if command == PairCommand.self { command = PairCommand.chosen(line) }
  if command == LogExportCommand.self { return LogExport.call(try LogExportCommand.request(line, now)) }
  return try (command as? any OwnerCommand.Type).map { try call($0, line) }
}

private func call<Asked: OwnerCommand>(_ command: Asked.Type, _ line: Invocation) throws -> ControlRequest {
  Asked.Operation.call(try Asked.request(line, now))
}

/// What is asked, but for the members that say no more than their absence would.
private func said(_ parameters: JSONValue) -> [String: JSONValue] {
  let members = (parameters.members ?? []).filter {
    $0.value != .bool(false) && $0.value != .array([]) && $0.value != .string("")
  }
  return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
}

@Suite struct OwnerRequestTests {
  static let operations: [([String], String, JSONValue)] = [
    (["status"], "status", [:]),
    (["identity", "list", "--home", "/h", "--json"], "identity/list", [:]),
    (["identity", "create", "alice"], "identity/create", ["name": "alice"]),
    (["identity", "show"], "identity/show", [:]),
    (["identity", "rename", "a", "b"], "identity/rename", ["name": "a", "to": "b"]),
    (["pair"], "pair/new", [:]),
    (
      ["pair", "--identity", "a", "--trust", "low", "--relay", "ws://x", "--relay", "wss://y", "--expires", "2h"], "pair/new",
      ["relays": ["ws://x", "wss://y"], "expires": 7200, "identity": "a", "trust": "low"]
    ),
    (["pair", "--name", "Phone"], "pair/new", ["name": "Phone"]),
    (["pair", "nostrconnect://k", "--name", "Phone"], "pair/accept", ["name": "Phone", "uri": "nostrconnect://k"]),
    (["pair", "--list"], "pair/list", [:]), (["pair", "--cancel", "0badcafe"], "pair/cancel", ["link": "0badcafe"]),
    (["pair", "nostrconnect://k", "--local-relay"], "pair/accept", ["local_relays": true, "uri": "nostrconnect://k"]),
    (["pair", "nostrconnect://k", "--trust", "full"], "pair/accept", ["trust": "full", "uri": "nostrconnect://k"]),
    (["client", "trust", "c", "low"], "client/trust", ["client": "c", "trust": "low"]),
    (["client", "allow", "c", "sign_event:1"], "client/allow", ["client": "c", "permission": "sign_event:1"]),
    (
      ["client", "deny", "c", "nip44_decrypt", "--for", "1h"], "client/deny",
      ["for": "1h", "client": "c", "permission": "nip44_decrypt"]
    ),
    (
      ["client", "allow", "c", "sign_event:1", "--for", "90m"], "client/allow",
      ["for": "90m", "client": "c", "permission": "sign_event:1"]
    ),
    (
      ["client", "allow", "c", "sign_event:1", "nip44_encrypt"], "client/allow",
      ["client": "c", "permissions": ["sign_event:1", "nip44_encrypt"]]
    ),
    (
      ["client", "forget", "c", "sign_event:1", "sign_event:7"], "client/forget",
      ["client": "c", "permissions": ["sign_event:1", "sign_event:7"]]
    ),
    (["request", "deny", "7", "--for", "7d"], "request/deny", ["id": "7", "remember": "1w"]),
    (["client", "ask", "c", "sign_event:1"], "client/ask", ["client": "c", "permission": "sign_event:1"]),
    (["client", "forget", "c", "sign_event:1"], "client/forget", ["client": "c", "permission": "sign_event:1"]),
    (
      ["client", "limit", "c", "--per-hour", "60", "--per-day", "none"], "client/limit",
      ["per_hour": 60, "per_day": nil, "client": "c"]
    ),
    (
      ["client", "budget", "c", "sign_event:1", "10", "--per", "1w"], "client/budget",
      ["count": 10, "period": "1w", "client": "c", "permission": "sign_event:1"]
    ),
    (
      ["client", "budget", "c", "sign_event:1", "none"], "client/budget",
      ["count": nil, "period": "1d", "client": "c", "permission": "sign_event:1"]
    ),
    (["policy", "show"], "policy/show", [:]),
    (["policy", "show", "c"], "policy/show", ["client": "c"]),
    (
      ["policy", "set", "--default-trust", "low", "--follow-share", "20"], "policy/set",
      ["default_trust": "low", "follow_share": 20]
    ),
    (
      ["policy", "explain", "c", "--log", "--change", "trust=low", "--change", "deny=sign_event:1"], "policy/explain",
      ["log": true, "change": ["trust=low", "deny=sign_event:1"], "client": "c"]
    ),
    (["policy", "explain", "c", "sign_event:1"], "policy/explain", ["client": "c", "permission": "sign_event:1"]),
    (["client", "rename", "c", "n"], "client/rename", ["name": "n", "client": "c"]),
    (["request", "approve", "7"], "request/approve", ["id": "7"]),
    (
      ["log", "show", "--since", "15m", "--client", "c", "--kind", "1", "--limit", "5"], "log/show",
      ["since": 1_699_999_100, "client": "c", "kind": 1, "limit": 5]
    ),
    (["log", "show", "--since", "1690000000"], "log/show", ["since": 1_690_000_000]),
    (
      ["log", "show", "--entry", "paired", "--decision", "deny", "--before", "9"], "log/show",
      ["entry": "paired", "decision": "deny", "before": 9]
    ),
    (["log", "export", "--client", "c"], "log/export", ["client": "c"]), (["log", "verify"], "log/verify", [:]),
    (["log", "prove", "7"], "log/prove", ["sequence": 7]), (["log", "prove", "--from", "5"], "log/prove", ["from": 5]),
    (["log", "retain", "--keep", "90d", "--yes"], "log/retain", ["keep": "90d"]), (["log", "key"], "log/key", [:]),
    (["backup", "create", "/a/keys.hfb"], "backup/create", ["file": "/a/keys.hfb"]),
    (["backup", "create", "--to", "s3://b/k", "--region", "eu"], "backup/create", ["to": "s3://b/k", "region": "eu"]),
    (["backup", "list"], "backup/list", [:]), (["backup", "plan"], "backup/plan", [:]),
    (["backup", "list", "--from", "/a"], "backup/list", ["to": "/a"]),
    (["backup", "verify", "/a/keys.hfb"], "backup/verify", ["file": "/a/keys.hfb"]),
    (
      ["backup", "verify", "keys.hfb", "--from", "/a", "--ca", "/c"], "backup/verify",
      ["name": "keys.hfb", "to": "/a", "ca": "/c"]
    ),
    (["backup", "schedule", "--every", "12h", "--keep", "3"], "backup/schedule", ["every": "12h", "keep": 3]),
    (["backup", "schedule", "--off"], "backup/schedule", ["off": true]),
    (["backup", "restore", "/a/keys.hfb", "--older"], "backup/restore", ["file": "/a/keys.hfb", "older": true]),
  ]

  @Test("Each command asks for its operation with its parameters", arguments: operations) func saysTheOperationAndItsParameters(
    words: [String], operation: String, parameters: JSONValue
  ) throws {
    let asked = try #require(try request(words))
    #expect(asked.operation == operation)
    #expect(said(asked.parameters) == said(parameters))
    #expect(asked.secrets.isEmpty)
  }

  @Test("Links and secrets that are read later are not among the parameters") func whatIsReadLaterIsNotAsked() throws {
    #expect(said(try #require(try request(["pair", "-"])).parameters).isEmpty)
    let full = try #require(try request(["identity", "import", "a", "--from-fd", "3", "--account", "2", "--password-file", "p"]))
    #expect(said(full.parameters) == ["account": 2, "name": "a"])
  }

  @Test("Commands without an operation ask the signer for nothing", arguments: ["up", "init", "man", "api"])
  func takesNoOperationForWhatIsNone(word: String) throws {
    #expect(try request([word]) == nil)
  }

  private static let expiry = "a time such as 15m, 2h or 7d, or a date to come such as 2026-12-01"

  static let faults: [([String], UsageError)] = [
    (["pair", "--relay", "https://x"], .valueMalformed(option: "relay", form: "an address that begins with ws:// or wss://")),
    (["pair", "--relay", "ws://"], .valueMalformed(option: "relay", form: "an address that begins with ws:// or wss://")),
    (["pair", "--list", "--trust", "low"], .exclude(option: "list", other: "trust")),
    (["pair", "--list", "--name", "x"], .exclude(option: "list", other: "name")),
    (["pair", "nostrconnect://k", "--cancel", "abcd"], .argumentUnexpected(position: 1, command: ["pair"])),
    (["pair", "--expires", "soon"], .valueMalformed(option: "expires", form: expiry)),
    (["pair", "--expires", "0s"], .valueMalformed(option: "expires", form: expiry)),
    (["pair", "--expires", "9223372036854775807d"], .valueMalformed(option: "expires", form: expiry)),
    (
      ["client", "allow", "c", "sign_event:1", "--for", "once"],
      .valueMalformed(option: "for", form: "always or \(Duration.form)")
    ),
    (
      ["client", "allow", "c", "sign_event:1", "--for", "30s"], .valueMalformed(option: "for", form: "always or \(Duration.form)")
    ),
    (["request", "approve", "7", "--for", "2y"], .valueMalformed(option: "for", form: "once, always or \(Duration.form)")),
    (["log", "show", "--limit", "0"], .valueNotANumber(option: "limit", from: 1, to: 100_000)),
    (["backup", "create", "a", "--to", "/b"], .exclude(option: "to", other: "file")),
    (["backup", "schedule", "--off", "--keep", "3"], .exclude(option: "off", other: "keep")),
    (["backup", "schedule", "--keep", "0"], .valueNotANumber(option: "keep", from: 1, to: 1000)),
    (
      ["log", "prove", "first"],
      .refused(sentence: "The number of an entry is a whole number, such as 7.", hint: "See: holdfast log show")
    ),
    (["log", "show", "--kind", "65536"], .valueNotANumber(option: "kind", from: 0, to: 65_535)),
    (["identity", "import", "a", "--account", "-1"], .valueNotANumber(option: "account", from: 0, to: 2_147_483_647)),
  ]

  @Test("A wrong value gets an error that names the fault", arguments: faults)
  func namesTheFault(words: [String], fault: UsageError) {
    #expect(throws: fault) { try request(words) }
  }

  @Test(
    "A hex key in place of a name is refused as a misplaced secret",
    arguments: [["identity", "import"], ["identity", "create"]])
  func takesAHexKeyInPlaceOfANameForAMisplacedSecret(words: [String]) {
    let key = String(repeating: "ab", count: 32)
    #expect(throws: UsageError.secretKeyInArguments) { try request(words + [key]) }
  }

  @Test("Commands that cannot be undone ask for confirmation") func asksBeforeWhatCannotBeTakenBack() throws {
    for words in [["identity", "delete", "a"], ["slot", "remove", "2"], ["slot", "bind"], ["vault", "repair"]] {
      let line = try ArgumentParser.holdfast.parse(words)
      let command = try #require(HoldfastTree.command(line.path) as? any PlannedCommand.Type)
      let isPlannedFirst = command.isPlannedFirst(line)
      #expect(isPlannedFirst)
    }
    #expect(!VaultRepairCommand.isPlannedFirst(try ArgumentParser.holdfast.parse(["vault", "repair", "--plan"])))
    #expect(try request(["slot", "remove", "2", "--accept-loss"])?.parameters["accept_loss"]?.bool == true)
    let revoking = try ArgumentParser.holdfast.parse(["client", "revoke", "a\u{1B}[2J"])
    #expect(ClientRevokeCommand.question(about: nil, revoking).contains("\u{1B}") == false)
    #expect(IdentityListCommand.question(try ArgumentParser.holdfast.parse(["identity", "list"])) == nil)
  }
}

@Suite struct UpRequestTests {
  private func up(_ words: String...) throws -> UpRequest { try UpRequest(ArgumentParser.holdfast.parse(["up"] + words)) }

  @Test("Every option of the start command is read") func readsEveryOption() throws {
    let asked = try up(
      "--trial", "--identity", "a", "--relay", "wss://r", "--no-embedded-relay", "--listen", "0.0.0.0:81", "--trust", "full")
    #expect(asked.isTrial && !asked.embeddedRelay && asked.identity == "a" && asked.relays == ["wss://r"])
    #expect(asked.host == "0.0.0.0" && asked.port == 81 && asked.trust == "full")
    let plain = try up()
    #expect(!plain.isTrial && plain.embeddedRelay && plain.host == nil && plain.port == nil && plain.trust == nil)
    #expect(try up("--listen", "[::1]:0").host == "::1")
  }

  @Test(
    "An invalid listening address is refused",
    arguments: ["nowhere", "host:", ":80", "host:x", "host:65536", "host:-1", "::1:80", "[]:80", "a:b:80", "host:1 "])
  func refusesAnAddressThatCannotWork(text: String) {
    #expect(throws: UsageError.valueMalformed(option: "listen", form: "HOST:PORT, for example 127.0.0.1:24133 or [::1]:0")) {
      try up("--listen=\(text)")
    }
  }

  @Test("TLS requires a certificate and a key") func tlsTakesTwoFiles() throws {
    #expect(try up("--tls-cert", "c", "--tls-key", "k").tls == .init(certificate: "c", key: "k"))
    #expect(throws: UsageError.self) { try up("--tls-cert", "c") }
    #expect(throws: UsageError.self) { try up("--tls-key", "k") }
    #expect(try up("--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "::1").trustedProxies == ["10.0.0.0/8", "::1"])
    #expect(try up("--console-host", "a", "--console-host", "https://b").consoleHosts == ["a", "https://b"])
  }

  @Test("A relay address that is not a WebSocket URL is refused") func refusesARelayOfAnotherScheme() {
    #expect(throws: UsageError.self) { try up("--relay", "https://x") }
  }
}

@Suite struct TimeTests {
  private static let now: Int64 = 1_790_000_000

  @Test(
    "A moment is now, a date, a date with a time, or seconds since 1970",
    arguments: [
      ("now", 1_790_000_000), ("1690000000", 1_690_000_000), ("1970-01-01T00:00Z", 0),
      ("2026-12-01T00:00:00Z", 1_796_083_200),
      ("2026-12-01 14:30Z", 1_796_135_400), ("2024-02-29T23:59:59Z", 1_709_251_199),
    ])
  func readsAMoment(text: String, seconds: Int64) {
    #expect(TimePoint.seconds(text, now: Self.now) == seconds)
  }

  @Test("A date without a zone is local time") func datesAreLocal() throws {
    let day = try #require(TimePoint.seconds("2026-12-01", now: Self.now))
    #expect(moment(day) == "2026-12-01 00:00")
    #expect(TimePoint.seconds("2026-12-01T14:30", now: Self.now) == day + 52_200)
  }

  @Test("Today and yesterday begin at midnight of the local day") func daysBeginAtMidnight() throws {
    let today = try #require(TimePoint.seconds("today", now: Self.now))
    let yesterday = try #require(TimePoint.seconds("yesterday", now: Self.now))
    #expect(moment(today) == "\(moment(Self.now).prefix(10)) 00:00" && moment(yesterday).hasSuffix(" 00:00"))
    #expect(today <= Self.now && yesterday == TimePoint.seconds(String(moment(today - 3600).prefix(10)), now: Self.now))
  }

  @Test(
    "Dates that do not exist and other texts are no moments",
    arguments: [
      "", "tomorrow", "0", "5", "2026", "20261201", "2026-02-30", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01",
      "2026-12-01T24:00", "2026-12-01T10:60",
      "2026-12-01T", "2026-12-01Z", "2026-12-01T10", "1900-01-01", "2026-12-01T10:00T11:00", "٢٠٢٦-12-01", "99999-01-01",
    ])
  func refusesOtherMoments(text: String) {
    #expect(TimePoint.seconds(text, now: Self.now) == nil)
  }

  @Test(
    "A period in seconds, minutes, hours, days or weeks is read, and one of several of them",
    arguments: [
      ("90s", 90), ("15m", 900), ("2h", 7200), ("7d", 604_800), ("1w", 604_800), ("1h30m", 5400), ("1d12h", 129_600),
      ("1w0d2h3m4s", 612_184),
    ])
  func readsASpan(text: String, seconds: Int64) {
    #expect(TimeSpan.seconds(text) == seconds)
  }

  @Test(
    "Invalid periods are refused",
    arguments: [
      "", "m", "5", "-5m", "5M", "5 m", "1.5h", "٣m", "99999d", "30m1h", "1h1h", "1h30", "1hm", "520w520w", "500w4000d",
    ])
  func refusesOtherSpans(text: String) {
    #expect(TimeSpan.seconds(text) == nil)
  }

  @Test(
    "A length of time is shown in words, the same everywhere",
    arguments: [
      (-5, "0 seconds"), (1, "1 second"), (60, "1 minute"), (7199, "1 hour"), (86_399, "23 hours"), (86_400, "1 day"),
      (90_000, "25 hours"), (172_800, "2 days"), (604_800, "1 week"), (1_209_600, "14 days"),
    ])
  func writesASpan(seconds: Int64, words: String) {
    #expect(TimeSpan.words(seconds) == words)
  }

  @Test("A time in the past is shown as how long ago it was") func tellsHowLongAgo() {
    #expect(ago(0, now: 100) == "never")
    #expect(ago(100, now: 100) == "now")
    #expect(ago(200, now: 100) == "now")
    #expect(ago(1000, now: 4600) == "1 hour ago")
    #expect(ago(.min, now: .max) == "now")
  }
}

@Suite struct AnswerRequestTests {
  static let table: [([String], JSONValue)] = [
    (["request", "approve", "3f2a"], ["id": "3f2a"]),
    (["request", "deny", "3f2a", "77aa"], ["ids": ["3f2a", "77aa"]]),
    (["request", "approve", "3f2a", "--for", "1h"], ["id": "3f2a", "remember": "1h"]),
    (
      ["request", "approve", "3f2a", "--for", "always", "--permission", "nip44_decrypt"],
      ["id": "3f2a", "remember": "always", "permission": "nip44_decrypt"]
    ),
    (["request", "approve", "--all-like", "3f2a"], [:]), (["request", "deny", "--app", "amethyst"], [:]),
    (["request", "list", "--app", "amethyst"], ["client": "amethyst"]), (["request", "list"], [:]),
  ]

  @Test("Approving and denying ask for the right operation", arguments: table)
  func answersAreAskedFor(words: [String], parameters: JSONValue) throws {
    let asked = try #require(try request(words))
    #expect(said(asked.parameters) == said(parameters) && asked.operation == "request/\(words[1])")
  }

  @Test(
    "An answer names its requests by ids, by likeness or by their app",
    arguments: [
      ["request", "approve"], ["request", "approve", "3f2a", "--all-like", "3f2a"], ["request", "deny", "3f2a", "--app", "x"],
      ["request", "deny", "--all-like", "3f2a", "--app", "x"],
    ])
  func anAnswerNamesItsRequestsInOneWay(words: [String]) throws {
    let fault = try #require(throws: UsageError.self) { try request(words) }
    guard case .refused(_, let hint) = fault else { throw fault }
    #expect(hint.contains("holdfast request list"))
  }

  @Test("A request that is like no other says why, and how all of its app are answered") func aRequestAloneSaysWhy() {
    func entry(_ id: String, _ batch: String?) -> WaitingRequest {
      var request = WaitingRequest()
      (request.id, request.batch) = (id, batch)
      (request.client.name, request.client.signer) = ("Amethyst", "signer of \(id.prefix(1))")
      return request
    }
    let list = [entry("aaaa", nil), entry("abbb", "x"), entry("cccc", "y")]
    let serious = AlikeRequests.whyAlone("aaaa", in: list, "request deny")
    #expect(serious == "This answers 1 request: requests like this one are denied one by one.")
    #expect(AlikeRequests.whyAlone("aaaa", in: list, "request approve").hasSuffix("are approved one by one."))
    #expect(AlikeRequests.whyAlone("abbb", in: list, "request deny").contains("same app and kind. To answer all 2 of"))
    #expect(AlikeRequests.whyAlone("cccc", in: list, "request deny").hasSuffix("same app and kind."))
  }

  @Test("Similar requests are found by the id of one of them") func requestsThatAreAlikeAreFoundByTheIdOfOne() {
    func entry(_ id: String, _ batch: String?) -> WaitingRequest {
      var request = WaitingRequest()
      (request.id, request.batch) = (id, batch)
      return request
    }
    let list = [entry("aaaa1111", "x"), entry("bbbb2222", "y"), entry("aaaa3333", "x"), entry("cccc", nil)]
    #expect(AlikeRequests.of("aaaa1111", in: list).map(\.id) == ["aaaa1111", "aaaa3333"])
    #expect(AlikeRequests.of("cccc", in: list).map(\.id) == ["cccc"])
    for id in ["aaaa", "aaaa1", "bbb", "dddd", ""] { #expect(AlikeRequests.of(id, in: list).isEmpty) }
  }
}
