import Curve
import Encodings
import JSON
import Testing

@testable import PushRegistration

@Suite("What is registered at a push proxy, compared with what should be")
struct RegistrationBookTests {
  private static let device = try! PushDevice(parsing: String(repeating: "ab", count: 32))

  private func plan(_ proxy: String = "https://push.example") throws -> PushPlan {
    PushPlan(proxy: try ProxyAddress(parsing: proxy), device: Self.device, since: 1)
  }

  private func key(_ relays: [String] = ["wss://r.example"]) throws -> AppKey {
    AppKey(signer: try KeyPair.random().publicKey, client: try KeyPair.random().publicKey, relays: relays)
  }

  private func book(_ keys: [AppKey], now: Int64 = 0, chance: Double = 0) throws -> RegistrationBook {
    var book = RegistrationBook()
    book.plan = try plan()
    _ = book.compare(keys, usable: Set(keys.map(\.signer)), now: now, chance: { chance })
    return book
  }

  /// Has a proxy do all that is asked of it, and says what that was.
  @discardableResult
  private func serve(_ book: inout RegistrationBook, from now: Int64, to end: Int64) -> [Registration.Step] {
    var (now, steps): (Int64, [Registration.Step]) = (now, [])
    while let due = book.nextDue, max(due, now) <= end {
      now = max(due, now)
      guard let (id, step) = book.due(now: now), var entry = book.entries[id] else { break }
      entry.begin(step)
      entry.succeed(step, now: now, chance: 0.5)
      book.entries[id] = !entry.isWanted && entry.isSettled ? nil : entry
      steps.append(step)
    }
    return steps
  }

  @Test("A new app's key is registered, then its app's relays are named, and then nothing is asked for hours")
  func registersThenPairs() throws {
    let key = try key()
    var book = try book([key])
    #expect(serve(&book, from: 0, to: 3_600) == [.register, .pair(relays: key.relays)])
    let entry = try #require(book.entries.values.first)
    #expect(entry.isSettled && entry.since == 0 && entry.next > 12 * 3_600)
  }

  @Test("An ended app is unpaired and unregistered, and then nothing of it is kept") func ends() throws {
    let key = try key()
    var book = try book([key])
    serve(&book, from: 0, to: 10)
    let changes = book.compare([], usable: [key.signer], now: 100, chance: { 0.5 })
    #expect(changes.stored.count == 1 && changes.removed.isEmpty)
    #expect(serve(&book, from: 100, to: 129) == [], "not at the moment of its end")
    #expect(serve(&book, from: 130, to: 130) == [.unpair, .unregister])
    #expect(book.entries.isEmpty)
  }

  @Test("A key that was never asked about is forgotten without asking") func neverAsked() throws {
    let key = try key()
    var book = try book([key])
    let changes = book.compare([], usable: [key.signer], now: 1, chance: { 0 })
    #expect(changes.removed.count == 1 && book.entries.isEmpty)
  }

  @Test("A key whose registration was begun and not acknowledged is unregistered all the same") func begunOnly() throws {
    let key = try key()
    var book = try book([key])
    let (id, step) = try #require(book.due(now: 0))
    book.entries[id]?.begin(step)
    _ = book.compare([], usable: [key.signer], now: 1, chance: { 0 })
    #expect(serve(&book, from: 1, to: 1) == [.unregister])
  }

  @Test("What cannot be signed any more is given up") func keyGone() throws {
    let key = try key()
    var book = try book([key])
    serve(&book, from: 0, to: 10)
    let changes = book.compare([], usable: [], now: 100, chance: { 0 })
    #expect(changes.removed.count == 1 && book.isEmpty == false && book.entries.isEmpty)
  }

  @Test("Another proxy gets the keys, and the one before is told to forget them") func moved() throws {
    let key = try key()
    var book = try book([key])
    serve(&book, from: 0, to: 10)
    book.plan = try plan("https://other.example")
    _ = book.compare([key], usable: [key.signer], now: 100, chance: { 0 })
    #expect(book.entries.count == 2)
    #expect(Set(serve(&book, from: 100, to: 200).map { "\($0)" }).count == 4, "register, pair, unpair, unregister")
    #expect(book.entries.values.map(\.proxy.text) == ["https://other.example"])
  }

  @Test("A registration is renewed once a day, with its app's relays: the proxy may have lost its memory") func renewal() throws {
    let key = try key()
    var book = try book([key])
    serve(&book, from: 0, to: 10)
    let steps = serve(&book, from: 10, to: Registration.renewal)
    #expect(steps == [.register, .pair(relays: key.relays)])
    #expect(book.entries.values.first?.since == 0)
  }

  @Test("An app that moves to other relays is named with these") func otherRelays() throws {
    let key = try key()
    var book = try book([key])
    serve(&book, from: 0, to: 10)
    let moved = AppKey(signer: key.signer, client: key.client, relays: (0..<20).map { "wss://r\($0).example" })
    _ = book.compare([moved], usable: [key.signer], now: 20, chance: { 0 })
    #expect(serve(&book, from: 20, to: 30) == [.pair(relays: Array(moved.relays.prefix(10)))])
  }

  @Test("Several keys are registered at times of their own, one key at once") func apart() throws {
    let keys = try (0..<10).map { _ in try key() }
    var numbers = (0..<10).map { Double($0) / 10 }
    var book = RegistrationBook()
    book.plan = try plan()
    _ = book.compare(keys, usable: Set(keys.map(\.signer)), now: 0, chance: { numbers.removeFirst() })
    #expect(book.entries.values.map(\.next).sorted() == (0..<10).map { $0 * 5 })
    #expect(try self.book([key()], chance: 0.9).nextDue == 0)
  }

  @Test("A proxy that is away is asked with longer and longer pauses, an hour at most") func backOff() throws {
    var book = try book([key()])
    var (now, pauses): (Int64, [Int64]) = (0, [])
    for _ in 0..<9 {
      let (id, _) = try #require(book.due(now: now))
      book.entries[id]?.fail(ProxyFailure(text: "away"), now: now, chance: 0.5)
      pauses.append(try #require(book.nextDue) - now)
      now = try #require(book.nextDue)
    }
    #expect(pauses == [5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600])
    let entry = try #require(book.entries.values.first)
    #expect(entry.error == "away" && entry.since == nil && !entry.isSettled)
  }

  @Test("What failed is asked again soon when the owner registers again, keys at times of their own") func askAgain() throws {
    var one = try book([key()])
    let (id, _) = try #require(one.due(now: 0))
    one.entries[id]?.fail(ProxyFailure(text: "refused", isLasting: true), now: 0, chance: 0.5)
    #expect(one.nextDue == 3_600)
    one.askAgain(now: 100, chance: { 0.9 })
    #expect(one.nextDue == 100)
    one.entries[id]?.fail(ProxyFailure(text: "away"), now: 100, chance: 0.5)
    #expect(one.nextDue == 105, "the pauses begin anew")

    var chances = [0.1, 0.5, 0.9]
    var three = try book([key(), key(), key()])
    for id in three.entries.keys { three.entries[id]?.fail(ProxyFailure(text: "refused", isLasting: true), now: 0, chance: 0.5) }
    three.askAgain(now: 100, chance: { chances.removeLast() })
    #expect(three.entries.values.map(\.next).sorted() == [101, 107, 113])
    serve(&three, from: 101, to: 200)
    let before = three
    three.askAgain(now: 300, chance: { 0 })
    #expect(three.entries == before.entries, "what works is left alone")
  }

  @Test("A refusal that lasts waits for an hour, and the wish of a proxy counts") func lasting() throws {
    var entry = try #require(try book([key()]).entries.values.first)
    entry.fail(ProxyFailure(text: "never", isLasting: true), now: 0, chance: 0.5)
    #expect(entry.next == 3_600)
    entry.attempts = 0
    entry.fail(ProxyFailure(text: "busy", retryAfter: 30), now: 0, chance: 0.5)
    #expect(entry.next == 30)
    entry.fail(ProxyFailure(text: "liar", retryAfter: 1 << 40), now: 0, chance: 0.5)
    #expect(entry.next == 3_600)
  }

  @Test("A proxy that has forgotten a device gets it again before the app") func forgotten() throws {
    let key = try key()
    var book = try book([key])
    let (id, step) = try #require(book.due(now: 0))
    book.entries[id]?.succeed(step, now: 0, chance: 0)
    book.entries[id]?.fail(ProxyFailure(text: "gone", isForgotten: true), now: 0, chance: 0)
    #expect(serve(&book, from: 0, to: 10) == [.register, .pair(relays: key.relays)])
  }

  @Test("A proxy that takes the device each time and forgets it at once is asked with longer and longer pauses")
  func forgetsAgain() throws {
    let key = try key()
    var book = try book([key])
    var (now, pauses): (Int64, [Int64]) = (0, [])
    for _ in 0..<5 {
      let (id, step) = try #require(book.due(now: now))
      #expect(step == .register)
      book.entries[id]?.succeed(step, now: now, chance: 0.5)
      book.entries[id]?.fail(ProxyFailure(text: "gone", isForgotten: true), now: now, chance: 0.5)
      pauses.append(try #require(book.nextDue) - now)
      now = try #require(book.nextDue)
    }
    #expect(pauses == [5, 15, 45, 135, 405])
    #expect(serve(&book, from: now, to: now + 10) == [.register, .pair(relays: key.relays)])
    #expect(book.entries.values.map(\.attempts) == [0], "nothing is left to do")
  }

  @Test("A clock that was set back delays nothing by more than a day") func clockSetBack() throws {
    let key = try key()
    var book = try book([key], now: 1_000_000_000)
    _ = book.compare([key], usable: [key.signer], now: 0, chance: { 0 })
    #expect(try #require(book.nextDue) <= Registration.renewal)
  }

  @Test("A registration is stored and read back whole") func record() throws {
    var entry = try #require(try book([key()]).entries.values.first)
    #expect(Registration(record: entry.record) == entry)
    entry.begin(.register)
    entry.succeed(.register, now: 7, chance: 0.3)
    entry.begin(.pair(relays: entry.relays))
    entry.succeed(.pair(relays: entry.relays), now: 8, chance: 0.3)
    entry.fail(ProxyFailure(text: "away"), now: 9, chance: 0.3)
    entry.isWanted = false
    #expect(Registration(record: entry.record) == entry)
    #expect(Registration(record: Array("{}".utf8)) == nil)
    #expect(try PushPlan(record: plan().record) == plan())
  }
}

@Suite("What the owner names") struct PushNamesTests {
  @Test(
    "An address of a proxy is https, or http on this machine, without a path",
    arguments: [
      ("https://push.example", "https://push.example"), ("https://push.example/", "https://push.example"),
      ("https://Push.Example:8443", "https://Push.Example:8443"), ("http://127.0.0.1:8087", "http://127.0.0.1:8087"),
      ("http://localhost:8087/", "http://localhost:8087"), ("http://[::1]:1", "http://[::1]:1"),
    ])
  func proxy(_ given: String, _ text: String) throws { #expect(try ProxyAddress(parsing: given).text == text) }

  @Test(
    "Other addresses are refused",
    arguments: [
      "", "push.example", "http://push.example", "http://192.0.2.1", "https://", "https:///", "https://a/b", "https://a?b",
      "https://u:p@a", "https://a#b", "ftp://a", "https://a b", "https://a\r\nHost: b", "http://127.0.0.1.evil.example",
      "http://localhost@evil.example", "https://" + String(repeating: "a", count: 260),
    ])
  func wrongProxy(_ text: String) { #expect(throws: PushRegistrationError.proxyMalformed) { try ProxyAddress(parsing: text) } }

  private static let point =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

  @Test("The three kinds of devices are told apart, and go to the proxy as they came") func devices() throws {
    let subscription =
      #" {"endpoint":"https://push.example/x","expirationTime":null,"keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"\#(Self.point)"}} "#
    let web = try PushDevice(parsing: subscription)
    #expect(web.host == "push.example" && web.token["keys"]?["p256dh"]?.string == Self.point)
    #expect(try PushDevice(web.token) == web)
    let unified = try PushDevice(parsing: "https://up.example/abc\n")
    #expect(unified.token == "https://up.example/abc" && unified.host == "up.example")
    let apple = try PushDevice(parsing: String(repeating: "AB", count: 32))
    #expect(apple.token == .string(String(repeating: "ab", count: 32)))
  }

  @Test(
    "What is no device is refused",
    arguments: [
      "", "http://up.example/x", "abcd", "{}",
      #"{"endpoint":"http://a/","keys":{"p256dh":"\#(point)","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#,
      #"{"endpoint":"https://a/","keys":{"p256dh":"AAAA","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#, "https://up.example/a b",
      String(repeating: "ab", count: 9_000),
    ])
  func noDevice(_ text: String) { #expect(throws: PushRegistrationError.deviceMalformed) { try PushDevice(parsing: text) } }
}
