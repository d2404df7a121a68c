import AuditLog
import Curve
import DaemonSupport
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

@Suite struct ClientOperationTests {
  @Test("An app is found by its key, its npub, the beginning of its key or its name in capitals or not")
  func anAppIsFoundByKeyNpubPrefixAndName() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(name: "my app")
    _ = try signer.pairedApp(name: "other")
    let hex = app.key.publicKey.hex
    for text in [hex, hex.uppercased(), app.key.publicKey.npub, String(hex.prefix(10)), "my app", "My App"] {
      #expect(try signer.operations.ask("client/show", ["client": .string(text)])["pubkey"]?.string == hex, "\(text)")
    }
    for text in [String(hex.prefix(3)), "my", "my\u{212A}app", String(hex.dropFirst(4))] {
      #expect(exit(signer.operations, "client/show", ["client": .string(text)]) == .notFound, "\(text)")
    }
    signer.close()
  }

  @Test("An app without a name is found by the words that lists call it, unless another app calls itself so")
  func anUnnamedAppIsFoundAsItIsShown() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(name: "")
    let hex = app.key.publicKey.hex
    let words = AppName.shown("", hex)
    for operation in ["client/show", "log/show"] {
      #expect(exit(signer.operations, operation, ["client": .string(words)]) == nil, "\(operation)")
    }
    #expect(try signer.operations.ask("client/show", ["client": .string(words)])["pubkey"]?.string == hex)
    _ = try signer.pairedApp(name: words)
    for operation in ["client/show", "client/revoke", "log/show"] {
      #expect(exit(signer.operations, operation, ["client": .string(words)]) == .failed, "\(operation)")
    }
    signer.close()
  }

  @Test("The beginning of an app's name, or of a word of it, is enough where no other app's begins so")
  func theBeginningOfANameIsEnough() throws {
    let signer = try Signer()
    let names = ["Amethyst on the phone", "Bob's app", ""]
    let keys = try names.map { try signer.pairedApp(name: $0).key.publicKey.hex }
    for (text, key) in [("amethyst", keys[0]), ("PHONE", keys[0]), ("bob", keys[1]), ("unnamed", keys[2])] {
      #expect(try signer.operations.ask("client/show", ["client": .string(text)])["pubkey"]?.string == key, "\(text)")
    }
    for text in ["am", "methyst", "phone on", "4b1d", "b0b"] {
      #expect(exit(signer.operations, "client/show", ["client": .string(text)]) == .notFound, "\(text)")
    }
    _ = try signer.pairedApp(name: "Amethyst")
    #expect(exit(signer.operations, "client/show", ["client": "Amethyst"]) == nil, "a whole name is no beginning")
    let several = failure { try signer.operations.ask("client/show", ["client": "ameth"]) }
    #expect(several?.error.contains("2 apps can be meant: “Amethyst on the phone” (\(keys[0].prefix(16)))") == true)
    #expect(several?.hint?.contains("Give more of the name") == true)
    signer.close()
  }

  @Test("Client, request, policy and log find an app by the same beginning of its name, paired or, in the log, gone")
  func oneRuleFindsAnAppEverywhere() throws {
    let signer = try Signer()
    let key = try signer.pairedApp(name: "Amethyst on the phone").key.publicKey.hex
    _ = try signer.pairedApp(name: "Bob's app")
    let operations = ["client/show", "policy/show", "request/list", "log/show"]
    for text in ["ameth", "AMETHYST ON THE PHONE", "Pho", String(key.prefix(4)), key] {
      for operation in operations {
        #expect(exit(signer.operations, operation, ["client": .string(text)]) == nil, "\(operation) \(text)")
      }
    }
    for operation in operations {
      let short = failure { try signer.operations.ask(operation, ["client": "am"]) }
      #expect(short?.exit == .notFound && short?.hint?.contains("at least 3 letters") == true, "\(operation)")
    }
    try signer.operations.ask("client/revoke", ["client": .string(key)])
    let gone = try signer.operations.ask("log/show", ["client": "AMETH"])["entries"]?.array ?? []
    #expect(!gone.isEmpty && gone.allSatisfy { $0["client"]?.string == key })
    signer.close()
  }

  @Test("Several apps that can be meant are named, each with digits that tell it from the others")
  func severalAppsAreNamed() throws {
    let signer = try Signer()
    let keys = try [("Amethyst"), ("amethyst two")].map { try signer.pairedApp(name: $0).key.publicKey.hex }
    for operation in ["client/show", "log/show"] {
      let several = failure { try signer.operations.ask(operation, ["client": "ame"]) }
      for key in keys { #expect(several?.error.contains("(\(key.prefix(16)))") == true, "\(operation)") }
    }
    signer.close()
  }

  /// Apps choose their names: one may wait for the permission that the owner means for another.
  @Test("An app gets nothing by a name that differs from another's in capitals, or that is short for an earlier one's")
  func aTwinGetsNothing() throws {
    let signer = try Signer()
    let honest = try signer.pairedApp(name: "Amethyst").key.publicKey.hex
    usleep(1_100_000)  // pairings have whole seconds
    for twin in ["amethyst", "ame"] { _ = try signer.pairedApp(name: twin) }
    for text in ["Amethyst", "amethyst", "ame"] {
      for (operation, more) in [("client/trust", ("trust", "full")), ("client/allow", ("permission", "sign_event:6"))] {
        let given: JSONValue = .object([.init("client", .string(text)), .init(more.0, .string(more.1))])
        let refused = failure { try signer.operations.ask(operation, given) }
        #expect(refused?.error.contains("apps can be meant") == true, "\(operation) \(text)")
        #expect(refused?.error.contains(honest.prefix(16)) == true, "\(operation) \(text)")
      }
    }
    let trusts = try signer.operations.ask("client/list")["clients"]?.array?.map { $0["trust"]?.string }
    #expect(trusts == ["medium", "medium", "medium"])
    try signer.operations.ask("client/trust", ["client": .string(honest), "trust": "full"])
    _ = try signer.pairedApp(name: "bot")
    _ = try signer.pairedApp(name: "bot2")
    try signer.operations.ask("client/trust", ["client": "bot", "trust": "full"])
    signer.close()
  }

  @Test("The beginning of a name ends no pairing") func theBeginningOfANameRevokesNothing() throws {
    let signer = try Signer()
    _ = try signer.pairedApp(name: "Amethyst on the phone")
    let refused = failure { try signer.operations.ask("client/revoke", ["client": "amethyst"]) }
    #expect(refused?.exit == .notFound && refused?.hint?.contains("“Amethyst on the phone”") == true)
    #expect(signer.core.engine.pairings.count == 1)
    try signer.operations.ask("client/revoke", ["client": "amethyst on the phone"])
    #expect(signer.core.engine.pairings.isEmpty)
    signer.close()
  }

  @Test("A name that two apps share is refused and not guessed") func twoAppsThatAnswerToOneNameAreNotGuessedAt() throws {
    let signer = try Signer()
    let (first, _) = (try signer.pairedApp(name: "twin"), try signer.pairedApp(name: "twin"))
    for operation in ["client/show", "client/revoke", "log/show"] {
      #expect(exit(signer.operations, operation, ["client": "twin"]) == .failed, "\(operation)")
    }
    #expect(signer.core.engine.pairings.count == 2)
    try signer.operations.ask("client/revoke", ["client": .string(first.key.publicKey.hex)])
    #expect(signer.core.engine.pairings.count == 1)
    signer.close()
  }

  /// The log is not shown for an app that a letter or two happen to fit.
  @Test("The log finds an app by the same names as other commands, even after it is revoked")
  func theLogFindsAnAppAsTheOtherCommandsDo() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let hex = app.key.publicKey.hex
    for text in [hex, app.key.publicKey.npub, String(hex.prefix(8)), "tester"] {
      let entries = try unwrap(try signer.operations.ask("log/show", ["client": .string(text)])["entries"]?.array)
      #expect(!entries.isEmpty && entries.allSatisfy { $0["client"]?.string == hex })
    }
    #expect(exit(signer.operations, "log/show", ["client": .string(String(hex.prefix(1)))]) == .notFound)
    try signer.operations.ask("client/revoke", ["client": "tester"])
    #expect(try signer.operations.ask("log/show", ["client": .string(hex)])["entries"]?.array?.isEmpty == false)
    signer.close()
  }

  @Test("Digits with which the keys of two former apps begin are refused, and the error has more of each")
  func digitsOfTwoFormerAppsAreNotGuessedAt() throws {
    let signer = try Signer()
    let texts = (0x100..<0x200).map { "0123456789ab" + String(repeating: String(String($0, radix: 16).dropFirst()), count: 26) }
    let keys = texts.compactMap { PublicKey(hex: $0) }.prefix(2)
    for key in keys { _ = try signer.core.log.appendAndWait(.event(.unpaired, client: key)) }
    let refused = try unwrap(failure { try signer.operations.ask("log/show", ["client": "0123456789"]) })
    #expect(refused.exit == .failed && refused.error.hasPrefix("2 apps can be meant: "))
    for key in keys {
      let digits = String(key.hex.prefix(16))
      #expect(refused.error.contains("(\(digits))"))
      let entries = try signer.operations.ask("log/show", ["client": .string(digits)])["entries"]?.array
      #expect(entries?.map { $0["client"]?.string } == [key.hex])
    }
    signer.close()
  }

  /// Apps choose their names, also one that is the beginning of a key.
  @Test("An app cannot keep itself or another from being revoked by taking its key's digits for a name")
  func anAppNamedLikeAKeyIsNotMeant() throws {
    let signer = try Signer()
    let (first, second) = (try signer.pairedApp(), try signer.pairedApp())
    let shown = String(first.key.publicKey.hex.prefix(16))
    try signer.operations.ask("client/rename", ["client": .string(second.key.publicKey.hex), "name": .string(shown)])
    let few = #expect(throws: OperationError.self) {
      try signer.operations.ask(
        "client/rename", ["client": .string(second.key.publicKey.hex), "name": .string(String(shown.prefix(6)))])
      try signer.operations.ask("client/revoke", ["client": .string(String(shown.prefix(6)))])
    }
    #expect(few?.error.contains("(\(shown))") == true, "a key may be made for so few")
    try signer.operations.ask("client/rename", ["client": .string(second.key.publicKey.hex), "name": .string(shown)])
    try signer.operations.ask("client/revoke", ["client": .string(shown)])
    #expect(signer.core.engine.pairings.map(\.client) == [second.key.publicKey])
    // As it is printed where there is no room for more, or in capitals: it still means the key.
    let printed = [shown + "…", shown.uppercased(), first.key.publicKey.hex.uppercased()]
    // No app has that key any more, and an app that is called so must not be found instead.
    for name in [shown, first.key.publicKey.hex] + printed {
      try signer.operations.ask("client/rename", ["client": .string(second.key.publicKey.hex), "name": .string(name)])
      #expect(exit(signer.operations, "client/trust", ["client": .string(name), "trust": "full"]) == .notFound)
    }
    signer.close()
  }

  /// One app with one key may pair with two identities: each pairing can be named.
  @Test("An app that is paired with two identities can be revoked from one of them")
  func anAppWithTwoIdentitiesCanBeRevokedFromOne() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/create", ["name": "second"])
    let first = try signer.pairedApp()
    let second = try signer.pairedApp(key: first.key, identity: "second")
    #expect(exit(signer.operations, "client/revoke", ["client": .string(first.key.publicKey.hex)]) == .failed)
    let listed = try unwrap(try signer.operations.ask("client/list")["clients"]?.array)
    let handle = try unwrap(listed.first { $0["identity"] == "second" }?["signer"]?.string)
    #expect(handle == second.signer.hex)
    try signer.operations.ask("client/revoke", ["client": .string(handle)])
    #expect(signer.core.engine.pairings.map(\.remoteSigner) == [first.signer])
    signer.close()
  }

  @Test("Changes to an app are recorded and still apply after a restart")
  func changesAreStoredRecordedAndInForceAfterARestart() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    try signer.operations.ask("client/rename", ["client": "tester", "name": "Phone\u{202e}\u{1b}[2J\nof mine"])
    try signer.operations.ask("client/allow", ["client": .string(app.key.publicKey.hex), "permission": "sign_event:0"])
    try signer.operations.ask("client/deny", ["client": .string(app.key.publicKey.hex), "permission": "nip44_decrypt"])
    let shown = try signer.operations.ask("client/trust", ["client": .string(app.key.publicKey.hex), "trust": "low"])
    #expect(shown["name"] == "Phone[2J of mine" && shown["trust"] == "low")
    #expect(shown["allowed"] == ["sign_event:0"] && shown["denied"] == ["nip44_decrypt"])
    #expect(try signer.entries(.grantChanged).map { $0.rule?.description }.last == "low trust")
    let again = try signer.reopened()
    let after = try again.operations.ask("client/show", ["client": .string(app.key.publicKey.hex)])
    for member in ["name", "trust", "allowed", "denied"] { #expect(after[member] == shown[member]) }
    #expect(try again.ask(app, "nip44_decrypt", [app.key.publicKey.hex, "x"]) == .error("not permitted"))
    guard case .result = try again.ask(app, "sign_event", [note(kind: 0)]) else { throw Missing() }
    again.close()
  }

  @Test("The log says which limits and budgets an app has after each change")
  func theLogSaysWhatLimitsAndBudgetsWereSetTo() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    for (operation, changes, says) in [
      ("limit", ["per_hour": 60], "limit: 60 an hour"),
      ("limit", ["per_day": 100], "limits: 60 an hour, 100 a day"),
      ("limit", ["per_minute": 5], "limits: 5 a minute, 60 an hour, 100 a day"),
      ("limit", ["per_minute": .null, "per_hour": .null, "per_day": .null], "no limits"),
      ("budget", ["permission": "sign_event:1", "count": 10, "period": "1d"], "budget for sign_event:1: 10 in 1d"),
      ("budget", ["permission": "sign_event:1", "count": .null, "period": "1d"], "no budget for sign_event:1 in 1d"),
    ] as [(String, [String: JSONValue], String)] {
      let request = changes.map { JSONValue.Member($0.key, $0.value) } + [.init("client", "tester")]
      try signer.operations.ask("client/" + operation, .object(request))
      #expect(try signer.entries(.grantChanged).last?.rule?.description == says)
    }
    signer.close()
  }

  @Test("A change to an app that cannot be stored does not apply") func aChangeThatCannotBeStoredIsNotInForce() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    signer.core.vault.close()
    for (operation, extra) in [
      ("client/allow", ["permission": "sign_event:0"]), ("client/trust", ["trust": "full"]), ("client/rename", ["name": "x"]),
      ("client/revoke", [:]),
    ] as [(String, [String: JSONValue])] {
      let given = JSONValue.object([.init("client", "tester")] + extra.map { .init($0.key, $0.value) })
      #expect(exit(signer.operations, operation, given) == .failed, "\(operation)")
    }
    let pairing = try unwrap(signer.core.engine.pairings.first)
    #expect(pairing.name == "tester" && pairing.grant == Grant(trust: .medium))
    #expect(try signer.ask(app, "ping") == .result("pong"))
    signer.close()
  }

  @Test("Changes to an app from several threads are all kept") func changesAtTheSameTimeAreAllKept() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    inParallel(4) { thread in
      for number in 0..<10 {
        let permission = "sign_event:\(40_000 + thread * 100 + number)"
        _ = exit(
          signer.operations, thread % 2 == 0 ? "client/allow" : "client/deny",
          ["client": "tester", "permission": .string(permission)])
      }
    }
    let shown = try signer.operations.ask("client/show", ["client": "tester"])
    #expect(shown["allowed"]?.array?.count == 20 && shown["denied"]?.array?.count == 20)
    let again = try signer.reopened()
    let after = try again.operations.ask("client/show", ["client": "tester"])
    #expect(after["allowed"] == shown["allowed"] && after["denied"] == shown["denied"])
    again.close()
  }

  /// The upkeep stores when apps were last seen: never an app that was revoked meanwhile, never an earlier grant.
  @Test("Storing when apps were last seen undoes no rule and no revocation") func storingTheUseOfAppsUndoesNoChange() throws {
    let signer = try Signer()
    let app = try signer.pairedApp()
    let stop = Locked(false)
    let upkeep = try unwrap(
      SystemThread.start {
        while !stop.withLock({ $0 }) {
          if let event = try? app.request("ping", now: Clock.seconds) {
            _ = signer.core.engine.receive(event, now: Clock.seconds)
          }
          signer.core.saveUse()
        }
      })
    for number in 0..<40 {
      try signer.operations.ask("client/deny", ["client": "tester", "permission": .string("sign_event:\(number)")])
      let stored = try signer.core.store.pairings().map(\.value).first
      #expect(stored?.grant.denied.count == number + 1)
    }
    for _ in 0..<10 {
      let other = try signer.pairedApp(name: "short")
      if let event = try? other.request("ping", now: Clock.seconds) { _ = signer.core.engine.receive(event, now: Clock.seconds) }
      try signer.operations.ask("client/revoke", ["client": "short"])
    }
    stop.withLock { $0 = true }
    join(upkeep)
    let (paired, ended) = (try signer.core.vault.ids(.pairing), try signer.core.vault.ids(.endedPairing))
    #expect(paired.count == 1 && ended.count == 10)
    #expect(try Set(signer.core.vault.ids(.pairingKey)) == Set(paired + ended))
    let again = try signer.reopened()
    #expect(again.core.engine.pairings.map { $0.grant.denied.count } == [40])
    again.close()
  }

  /// The log is read long after an app is gone, and a key says nothing to a person.
  @Test("The log names an app even after it was revoked") func theLogNamesAnAppThatIsGone() throws {
    let signer = try Signer()
    _ = try signer.pairedApp()
    let key = try unwrap(signer.core.engine.pairings.first).client.hex
    try signer.operations.ask("client/rename", ["client": .string(key), "name": "Lantern"])
    try signer.operations.ask("client/revoke", ["client": .string(key)])
    func names(_ operations: Operations) throws -> [String] {
      try operations.ask("log/show")["entries"]?.array?.filter { $0["client"]?.string == key }.compactMap {
        $0["client_name"]?.string
      } ?? []
    }
    #expect(
      try Set(names(signer.operations)) == ["Lantern"] && signer.entries(.grantChanged).last?.rule?.description == "renamed")
    let again = try signer.reopened()
    #expect(try Set(names(again.operations)) == ["Lantern"])
    again.close()
  }
}
