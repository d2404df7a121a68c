import Curve
import Platform
import Testing

@testable import PushProxy

@Suite("Devices that their push service no longer knows") struct PruningTests {
  private let folder = DataFolder()

  @Test("The sender does not wait for the store to forget a device") func doesNotWait() throws {
    let registrations = try Registrations(folder: folder.path)
    let target = try #require(PushTarget(place: "https://push.example/abc", keys: []))
    try registrations.register(target, for: numbered(1), now: 1)
    let pruning = Pruning(registrations) { _ in }
    registrations.writer.withLock { _ in pruning.gone(target, since: nil) }  // as long as this has the lock, nothing is stored
    pruning.stop()
    #expect(try registrations.keys().isEmpty)
  }

  @Test("Only devices that are forgotten count: none before Apple took a wake, and none that registered later") func counts()
    throws
  {
    let registrations = try Registrations(folder: folder.path)
    for number in 1...3 { try registrations.register(device(number), for: numbered(number), now: 1_000) }
    try registrations.register(device(1), for: numbered(4), now: 1_000)
    let early = Pruning(registrations) { _ in }
    early.gone(try device(1), since: nil)
    early.stop()
    #expect(early.forgotten.unregistered == 0)
    let pruning = Pruning(registrations) { _ in }
    let request = WakeRequest(id: numbered(1).bytes, signer: numbered(3), relay: "wss://a.example", left: 60, now: 1)
    pruning.settled(try Wake(request, to: device(3)), .delivered)
    pruning.gone(try device(1), since: nil)
    pruning.gone(try device(2), since: 999_000)
    pruning.gone(try device(3), since: nil, isUnregistered: false)
    pruning.stop()
    #expect(pruning.forgotten.unregistered == 2 && pruning.forgotten.bad == 1)
    #expect(try registrations.keys() == [numbered(2)])
  }

  @Test("A wake that a push service took keeps its device registered") func keeps() throws {
    let registrations = try Registrations(folder: folder.path)
    let target = try #require(PushTarget(place: "https://push.example/abc", keys: []))
    for number in 1...2 { try registrations.register(target, for: numbered(number), now: 1) }
    let pruning = Pruning(registrations) { _ in }
    let request = WakeRequest(id: numbered(1).bytes, signer: numbered(1), relay: "wss://a.example", left: 60, now: 1)
    pruning.settled(try Wake(request, to: target), .delivered)
    pruning.expire()
    pruning.stop()
    #expect(try registrations.keys() == [numbered(1)], "the other key's registration is of 1970")
  }

  @Test("The operator is told once that a device of Apple's cannot be woken without Apple's key") func noService() throws {
    let said = Locked<[String]>([])
    let pruning = Pruning(try Registrations(folder: folder.path)) { line in said.withLock { $0.append(line.text) } }
    let request = WakeRequest(id: numbered(1).bytes, signer: numbered(2), relay: "wss://a.example", left: 60, now: 1)
    let web = try Wake(request, to: #require(PushTarget(place: "https://push.example/abc", keys: [])))
    let apple = try Wake(request, to: device(1))
    for wake in [web, apple, apple] { pruning.settled(wake, .noService) }
    pruning.stop()
    #expect(said.withLock { $0.map { $0.contains("--apns-key") } } == [true])
  }

  @Test("In a database that others use, room for pairs is made after the request that found none") func makesRoomAside() throws {
    var limits = Registrations.Limits()
    limits.pairs = 1
    _ = try Registrations(folder: folder.path)  // makes the file
    let file = RegistrationsFile(in: folder.path, schema: .current)
    var writer = try RegistrationsWriter(file.open(), limits, .init(), dropsAtOnce: false)
    func change(_ request: ProxyRequest, _ number: Int) throws -> ProxyRefusal? {
      try writer.apply([.init(request, of: numbered(number), now: 1)])[0].refusal
    }
    let pair = ProxyRequest.pair(numbered(9), relays: [try relay("wss://a.example")])
    for number in 1...2 { #expect(try change(.register(device(number)), number) == nil) }
    #expect(try change(pair, 1) == nil)
    #expect(try change(.unregister(device(1)), 1) == nil && !writer.lacksRoom)
    for _ in 1...2 { #expect(try change(pair, 2)?.name == .notStored && writer.lacksRoom) }
    try writer.dropUnusedPairs()
    #expect(try change(pair, 2) == nil)
    #expect(writer.counts == .init(targets: 1, keys: 1, clients: 1, pairs: 1))
  }
}
