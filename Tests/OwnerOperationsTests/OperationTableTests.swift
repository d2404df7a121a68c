import Curve
import DaemonSupport
import JSON
import OwnerAPI
import RemoteSigning
import Testing

@testable import OwnerOperations
@testable import Signer

/// Every operation with what is missing, wrong or unknown, and the exit code a script gets for it.
@Suite struct OperationTableTests {
  typealias Exit = OperationError.Exit

  static let unknownKey = String(repeating: "ab", count: 32)

  static let refusals: [(String, JSONValue, Exit)] = [
    ("", [:], .usage), ("nothing", [:], .usage), ("identity", [:], .usage), ("identity/list/all", [:], .usage),
    ("Identity/List", [:], .usage),
    ("identity/create", [:], .usage), ("identity/create", ["name": 7], .usage), ("identity/create", ["name": ""], .usage),
    ("identity/create", ["name": "a/b"], .usage), ("identity/create", ["name": "-x"], .usage),
    ("identity/create", ["name": "a\nb"], .usage), ("identity/create", ["name": "main"], .failed),
    ("identity/create", ["name": .string(String(repeating: "n", count: 65))], .usage),
    ("identity/import", ["name": "b"], .usage), ("identity/import", ["name": "b", "key": "nsec1whatever"], .usage),
    ("identity/show", ["name": "nobody"], .notFound),
    ("identity/show", ["name": .string(unknownKey)], .notFound),
    ("identity/rename", [:], .usage), ("identity/rename", ["name": "main"], .usage),
    ("identity/rename", ["name": "nobody", "to": "x"], .notFound), ("identity/rename", ["name": "main", "to": "a/b"], .usage),
    ("identity/rename", ["name": "main", "to": 7], .usage),
    ("identity/delete", [:], .usage), ("identity/delete", ["name": "nobody"], .notFound),
    ("identity/default", [:], .usage), ("identity/default", ["name": "nobody"], .notFound),
    ("identity/create", ["name": "b", "word_count": 13], .usage), ("identity/create", ["name": "b", "class": "always"], .usage),
    ("identity/set", [:], .usage), ("identity/set", ["name": "nobody", "notes": "x"], .notFound),
    ("identity/set", ["name": "main", "colour": "beige"], .usage), ("identity/set", ["name": "main", "colour": 7], .usage),
    ("identity/set", ["name": "main", "emoji": "xx"], .usage), ("identity/set", ["name": "main", "relays": "wss://a"], .usage),
    ("identity/set", ["name": "main", "relays": ["https://a"]], .usage),
    ("identity/set", ["name": "main", "notes": .string(String(repeating: "n", count: 4097))], .usage),
    ("identity/derive", [:], .usage), ("identity/derive", ["from": "nobody", "name": "b"], .notFound),
    ("identity/derive", ["from": "main"], .usage), ("identity/derive", ["from": "main", "name": "b", "account": -1], .usage),
    ("identity/export", ["name": "main", "format": "gif"], .usage),
    ("identity/export", ["name": "main", "format": "mnemonic"], .usage),
    ("identity/export", ["name": "main", "format": "nsec", "confirm": "yes"], .usage),
    ("unlock", [:], .usage), ("resume", [:], .usage), ("identity/export", [:], .usage),
    ("unlock", ["passphrase": "correct horse"], .usage),
    ("pair/cancel", [:], .usage), ("pair/cancel", ["link": ""], .notFound), ("pair/cancel", ["link": "abc"], .notFound),
    ("pair/cancel", ["link": .string(unknownKey)], .notFound), ("pair/cancel", ["link": 7], .usage),
    ("pair/new", ["identity": "nobody"], .notFound),
    ("pair/new", ["trust": "blind"], .usage), ("pair/qr", [:], .usage),
    ("pair/qr", ["text": .string(String(repeating: "a", count: 3000))], .failed),
    ("pair/new", ["relays": ["http://a.example"]], .usage),

    ("pair/new", ["relays": .array(Array(repeating: "ws://a.example", count: 100))], .usage),
    ("pair/new", ["expires": 0], .usage), ("pair/new", ["expires": -1], .usage), ("pair/new", ["expires": "1h"], .usage),
    ("pair/new", ["expires": 31_536_001], .usage), ("pair/new", ["expires": .integer(.max)], .usage),
    ("pair/accept", [:], .usage), ("pair/accept", ["uri": 7], .usage), ("pair/accept", ["uri": "https://a.example"], .usage),
    ("pair/accept", ["uri": "nostrconnect://abcd"], .usage),
    ("pair/accept", ["uri": .string("nostrconnect://\(unknownKey)?secret=x")], .usage),
    ("pair/accept", ["uri": .string("nostrconnect://\(unknownKey)?relay=ws://a.example")], .usage),
    ("pair/accept", ["uri": .string("nostrconnect://\(unknownKey)?relay=ws://a.example&secret=x"), "trust": "blind"], .usage),
    (
      "pair/accept", ["uri": .string("nostrconnect://\(unknownKey)?relay=ws://a.example&secret=x"), "identity": "nobody"],
      .notFound
    ),
    ("client/show", [:], .usage), ("client/show", ["client": 7], .usage), ("client/show", ["client": "nobody"], .notFound),
    ("client/show", ["client": .string(unknownKey)], .notFound), ("request/list", ["client": "nobody"], .notFound),
    ("request/outcome", ["ids": 7], .usage),
    ("client/permissions", ["client": "tester", "days": 0], .usage),
    ("pair/preview", [:], .usage), ("pair/preview", ["uri": "bunker://x"], .usage), ("relay/try", ["url": "http://x"], .usage),
    ("client/permissions", ["client": "nobody"], .notFound),
    ("client/rename", ["client": "tester"], .usage), ("client/rename", ["name": "x"], .usage),
    ("client/rename", ["client": "tester", "name": "\u{1b}\u{7}\u{202e}"], .usage),
    ("client/rename", ["client": "nobody", "name": "x"], .notFound),
    ("client/trust", ["client": "tester"], .usage), ("client/trust", ["client": "tester", "trust": "blind"], .usage),
    ("client/trust", ["client": "tester", "trust": 1], .usage),
    ("client/trust", ["client": "nobody", "trust": "low"], .notFound),
    ("client/allow", ["client": "tester"], .usage), ("client/allow", ["client": "tester", "permission": "fly"], .usage),
    ("client/allow", ["client": "tester", "permission": "sign_event:70000"], .usage),
    ("client/allow", ["client": "tester", "permission": "nip44_encrypt:1"], .usage),
    ("client/allow", ["client": "tester", "permission": "sign_event:7375"], .denied),
    ("client/allow", ["client": "nobody", "permission": "sign_event:1"], .notFound),
    ("client/deny", ["client": "tester"], .usage), ("client/deny", ["client": "tester", "permission": "ping"], .denied),
    ("client/deny", ["client": "nobody", "permission": "sign_event:1"], .notFound),
    ("client/revoke", [:], .usage), ("client/revoke", ["client": "nobody"], .notFound),
    ("request/approve", [:], .usage), ("request/approve", ["id": 7], .usage), ("request/approve", ["id": "abcd"], .notFound),
    ("request/deny", [:], .usage), ("request/deny", ["id": "abcd"], .notFound),
    ("request/hand-over", [:], .usage),
    ("request/hand-over", ["relay": "ws://127.0.0.1:24133/relay", "event": "{}"], .usage),
    ("push/subscribe", [:], .usage), ("push/subscribe", ["endpoint": "https://a.example/x"], .usage),
    ("push/subscribe", ["endpoint": "https://a.example/x", "p256dh": "BA", "auth": "AA"], .usage),
    (
      "push/subscribe", ["endpoint": "http://a.example/x", "p256dh": .string(PushKeys.point), "auth": .string(PushKeys.auth)],
      .usage
    ),
    ("push/subscribe", ["endpoint": "https://a.example/x", "p256dh": .string(PushKeys.point), "auth": "AA"], .usage),
    (
      "push/subscribe",
      ["endpoint": "https://a.example/x", "p256dh": .string(PushKeys.point + "="), "auth": .string(PushKeys.auth)], .usage
    ),
    ("push/remove", [:], .usage), ("push/remove", ["id": "none"], .notFound), ("push/test", ["id": "none"], .failed),
    ("backup/upload-begin", [:], .usage), ("backup/upload-begin", ["length": 1], .usage), ("backup/upload-part", [:], .usage),
    ("backup/upload-part", ["upload": "ab", "offset": 0, "data": "AA"], .usage), ("backup/upload-end", [:], .usage),
    ("backup/upload-end", ["upload": "ab"], .usage), ("backup/upload-check", ["upload": "ab"], .usage),
    ("trial/place", [:], .failed), ("trial/backup-check", ["upload": "ab"], .failed), ("trial/restore", [:], .usage),
    ("trial/restore", ["upload": "ab"], .failed),
    ("backup/upload-cancel", [:], .usage), ("backup/upload-cancel", ["upload": "ab"], .usage),
    ("log/show", ["limit": -1], .usage), ("log/show", ["limit": "all"], .usage), ("log/show", ["since": "yesterday"], .usage),
    ("log/show", ["kind": 65536], .usage), ("log/show", ["kind": -1], .usage),
    ("log/show", ["client": "nobody"], .notFound), ("log/show", ["entry": "nothing"], .usage),
    ("log/show", ["decision": "maybe"], .usage), ("log/show", ["signed": "5fd39d"], .usage), ("log/prove", [:], .usage),
    ("log/prove", ["sequence": 0], .notFound),
    ("log/prove", ["sequence": 9_999_999], .notFound), ("log/prove", ["from": 0], .notFound),
    ("log/retain", ["keep": "1d"], .usage), ("log/retain", ["keep": "1d", "daily": true], .usage),
    ("log/retain", ["keep": "99999999999999999999d"], .usage),
    ("sign", [:], .usage), ("sign", ["event": nil], .usage), ("sign", ["event": 7], .usage), ("sign", ["event": "{}"], .usage),
    ("sign", ["event": ["kind": 1]], .usage), ("sign", ["event": ["kind": 65536, "content": ""]], .usage),
    ("sign", ["event": ["kind": 1, "content": "x"], "identity": "nobody"], .notFound),

    ("sign", ["event": ["kind": 1, "content": "x", "pubkey": .string(unknownKey)]], .usage),
  ]

  @Test("Each invalid operation has its exit code and changes nothing") func eachFaultHasItsExitCodeAndChangesNothing() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let before = try Self.picture(signer)
    for (operation, parameters, code) in Self.refusals {
      #expect(
        exit(signer.operations, operation, parameters) == code,
        "\(operation) \(String(decoding: parameters.serialized(), as: UTF8.self))")
    }
    #expect(try Self.picture(signer) == before)
    signer.close()
  }

  static let mistyped: [(String, JSONValue)] = [
    ("identity/show", ["name": ["main"]]),
    ("pair/new", ["identity": 7]),
    ("pair/new", ["trust": 3]),
    ("pair/new", ["trust": ["low"]]),
    ("pair/new", ["relays": "ws://a.example"]),
    ("pair/new", ["relays": ["ws://a.example", 7]]),
    ("log/show", ["client": 7]),
    ("sign", ["event": ["kind": 1, "content": "x"], "identity": 7]),
  ]

  /// What is of the wrong type is not passed over: the default identity is not the one that was meant.
  @Test("A parameter of the wrong type is refused") func aParameterOfAnotherTypeIsRefused() throws {
    let signer = try Signer()
    for (operation, parameters) in Self.mistyped {
      #expect(exit(signer.operations, operation, parameters) == .usage, "\(operation) \(parameters)")
    }
    #expect(signer.core.engine.openLinks.isEmpty)
    signer.close()
  }

  @Test("A time beyond the calendar is refused", arguments: [253_402_300_800, .max] as [Int64])
  func aTimeBeyondTheCalendarIsRefused(seconds: Int64) throws {
    let signer = try Signer()
    #expect(exit(signer.operations, "log/show", ["since": .integer(seconds)]) == .usage)
    signer.close()
  }

  @Test("Every error is one line of plain text") func everyFailureIsOneLineOfPlainText() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    for (operation, parameters, _) in Self.refusals {
      let failure = try unwrap(failure { try signer.operations.ask(operation, parameters) })
      for text in [failure.error, failure.hint ?? "-"] {
        #expect(!text.isEmpty && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(operation)")
      }
    }
    signer.close()
  }

  @Test("Operations that need the daemon say so when none is running") func withoutADaemonWhatNeedsOneSaysSo() throws {
    let session = try TestHome().withVault().session()
    _ = try session.perform(ControlRequest("identity/create", ["name": "main"]))
    let uri = "nostrconnect://\(Self.unknownKey)?relay=ws://a.example&secret=x"
    for (operation, parameters) in [
      ("request/approve", ["id": "abcd"]), ("request/deny", ["id": "abcd"]), ("pair/accept", ["uri": .string(uri)]),
    ] as [(String, JSONValue)] {
      #expect(failure { try session.perform(ControlRequest(operation, parameters)) } == .needsDaemon)
    }
    session.close()
  }

  @Test("Operations that need an identity report that there is none") func withoutAnIdentityWhatNeedsOneSaysSo() throws {
    let session = try TestHome().withVault().session()
    for (operation, parameters) in [
      ("identity/show", [:]), ("pair/new", [:]), ("sign", ["event": ["kind": 1, "content": "x"]]),
    ] as [(String, JSONValue)] {
      #expect(failure { try session.perform(ControlRequest(operation, parameters)) }?.exit == .notFound)
    }
    session.close()
  }

  static let identity = [
    "name", "npub", "pubkey", "default", "origin", "created", "class", "retired", "account", "words", "words_passphrase",
    "same_words", "key_security", "colour", "emoji", "relays", "notes",
  ]

  static let shapes: [(String, JSONValue, [String])] = [
    ("identity/list", [:], ["identities"]),
    ("identity/show", ["name": "main"], identity),
    ("identity/show", [:], identity),
    ("identity/create", ["name": "second"], identity),
    ("identity/rename", ["name": "second", "to": "other"], identity),
    ("identity/default", ["name": "other"], identity),
    ("identity/default", ["name": "main"], identity),
    ("identity/set", ["name": "other", "colour": "teal", "relays": ["wss://a.example"], "notes": "x"], identity),
    ("identity/derive", ["from": "other", "name": "third"], identity),
    ("identity/delete", ["name": "other"], ["deleted", "pubkey", "apps_revoked", "still_in", "log_begins_later"]),
    ("pair/list", [:], ["links"]),
    ("relay/list", [:], ["relays", "this_machine_only", "suggested", "used"]),
    (
      "pair/preview", ["uri": .string("nostrconnect://\(unknownKey)?relay=ws://a.example&secret=x&name=phone")],
      ["client", "name", "url", "identity", "trust", "relays", "permissions", "paired_as", "revoked_at"]
    ),
    ("pair/new", [:], ["bunker", "pubkey", "identity", "npub", "relays", "trust", "expires", "this_machine_only"]),
    (
      "pair/accept", ["uri": .string("nostrconnect://\(unknownKey)?relay=ws://a.example&secret=x&name=phone")],
      ["client", "name", "identity", "trust", "trust_before", "revoked_at", "relays", "permissions", "local_relays"]
    ),
    ("client/permissions", ["client": "phone"], ["days", "cut", "permissions"]),
    ("client/list", [:], ["clients"]), ("request/list", [:], ["requests"]), ("request/outcome", [:], ["outcomes"]),
    ("log/show", [:], ["entries"]),
    ("log/verify", [:], ["ok", "entries", "head", "fault", "opened", "redacted"]),
    ("log/prove", ["sequence": 1], ["index", "size", "leaf", "leaf_hash", "proof", "root", "checkpoint", "vkey"]),
    ("log/prove", ["from": 1], ["old_size", "old_root", "size", "proof", "root", "checkpoint", "vkey"]),
    ("log/export", [:], ["entries", "next", "count"]), ("log/key", [:], ["vkey"]), ("log/checkpoint", [:], ["checkpoint"]),
    ("log/retain", ["keep": "90d"], ["dropped", "redacted", "entries", "daily_days"]),
    ("log/retain", ["keep": "90d", "daily": true], ["dropped", "redacted", "entries", "daily_days"]),
    ("log/retain", [:], ["entries", "daily_days"]), ("log/retain", ["off": true], ["entries", "daily_days"]),
    ("client/revoke", ["client": "phone"], ["revoked", "name"]), ("custody/overview", [:], ["steps", "ways", "keys"]),
    (
      "status", [:],
      [
        "version", "home", "running", "trial", "locked", "suspended", "locks_at", "identities", "device_binding", "clients",
        "links",
        "waiting", "share_requests", "log_entries", "usual_home", "vault",
      ]
    ),
    ("sign", ["event": ["kind": 1, "content": "x"]], ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"]),
  ]

  @Test("Each operation's result has exactly its documented members") func resultsHaveTheirMembers() throws {
    let signer = try Signer()
    for (operation, parameters, members) in Self.shapes {
      let isProven = operation == "identity/delete"
      let result = try signer.operations.ask(
        operation, parameters, secrets: isProven ? ["passphrase": box(TestHome.passphrase)] : [:])
      #expect(keys(result).sorted() == members.sorted(), "\(operation)")
    }
    signer.close()
  }

  @Test("Apps and requests have the same members in lists and in detail") func aClientsMembers() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [note()])
    let client = try unwrap(try signer.operations.ask("client/list")["clients"]?[0])
    for member in ["pubkey", "name", "identity", "trust", "paired", "last_seen", "requests", "suspended"] {
      #expect(client[member] != nil)
    }
    #expect(client["pubkey"]?.string == app.key.publicKey.hex && client["name"] == "tester" && client["identity"] == "main")
    #expect(client["requests"] == 1 && client["trust"] == "low")
    let detail = try signer.operations.ask("client/show", ["client": "tester"])
    for member in keys(client) { #expect(detail[member] == client[member]) }
    for member in ["url", "signer", "requested", "allowed", "denied", "relays"] { #expect(detail[member] != nil) }
    let request = try unwrap(try signer.operations.ask("request/list")["requests"]?[0])
    #expect(
      keys(request) == [
        "id", "event", "client", "identity", "method", "kind", "kind_name", "title", "summary", "rule", "reason", "risk",
        "risk_reason", "concerns", "presence", "received", "expires", "repeats", "batch", "batch_title", "hidden", "parts",
        "offers", "remember",
      ])
    let whole = try signer.operations.ask("request/show", ["id": try unwrap(request["id"])])
    for member in keys(request) { #expect(whole[member] == request[member]) }
    #expect(keys(whole).suffix(2) == ["raw", "raw_truncated"] && whole["raw"]?.string == note())
    #expect(keys(request["client"]) == ["pubkey", "signer", "name", "url", "place"] && request["client"]?["name"] == "tester")
    #expect(keys(request["identity"]) == ["name", "npub", "pubkey"] && request["identity"]?["name"] == "main")
    #expect(request["rule"] == "low-trust" && request["batch_title"] == "1 note" && request["title"] == "Sign a note")
    #expect(request["risk"] == "usual" && request["risk_reason"] == .null)
    #expect(request["method"] == "sign_event" && request["kind"] == 1)
    #expect(request["summary"] == "sign kind 1 (note): “hello”")
    #expect(request["reason"] == "low trust: you are asked about everything")
    signer.close()
  }

  /// What must be as before after a refusal.
  static func picture(_ signer: Signer) throws -> [JSONValue] {
    try ["identity/list", "client/list", "request/list"].map { try signer.operations.ask($0) }
      + [.integer(Int64(signer.core.engine.openLinks.count))]
  }
}
