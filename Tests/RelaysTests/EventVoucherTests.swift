import Curve
import Encodings
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

/// Which connections count as an app's, by the events that come over them.
@Suite("An app's events keep its connection open") struct EventVoucherTests {
  /// Open connections and who holds them, without a network.
  private final class Connections {
    private final class Connection {}
    private var connections: [Connection] = []
    private var admittance = RelayAdmission()
    private var limits = RelayLimits()
    private let app = Make.key(1)

    init(most: Int) {
      admittance.apps = [app.publicKey]
      limits.connectionsPerApp = most
    }

    func connection() -> ObjectIdentifier {
      connections.append(Connection())
      return ObjectIdentifier(connections[connections.count - 1])
    }

    /// A connection by which the app's event of that second comes.
    @discardableResult
    func event(at time: Int64, from holder: UInt32, by client: ObjectIdentifier? = nil, author: Int = 1) -> ObjectIdentifier {
      let client = client ?? connection()
      let event = Make.event(by: Make.key(author), at: time, content: "\(connections.count)")
      admittance.sent(event, by: client, at: .processes(uid: holder, group: 0), limits)
      return client
    }

    func isApps(_ client: ObjectIdentifier) -> Bool { admittance.isApps(client, recipients: [Bytes32](), limits) }
    func left(_ client: ObjectIdentifier) { admittance.left(client) }
    func pair(_ key: KeyPair) { admittance.apps.insert(key.publicKey) }
  }

  @Test("An app's new event counts even when strangers have sent the maximum of its old events", arguments: [100, 101])
  func aNewerEventTakesTheOldestPlace(time: Int64) {
    let open = Connections(most: 3)
    let caught = (1...3).map { open.event(at: 100, from: $0) }
    let app = open.event(at: time, from: 9)
    #expect(open.isApps(app))
    #expect(caught.map(open.isApps) == [false, true, true])
  }

  @Test("Events older than all counted ones do not make a connection an app's") func olderEventsTakeNoPlace() {
    let open = Connections(most: 2)
    let app = [open.event(at: 100, from: 1), open.event(at: 101, from: 2)]
    #expect(!open.isApps(open.event(at: 99, from: 3)))
    #expect(app.allSatisfy(open.isApps))
  }

  @Test("One connection per holder counts for an app: the one with its newest event") func oneForEachHolder() {
    let open = Connections(most: 3)
    let app = open.event(at: 90, from: 1)
    let caught = [100, 102, 101].map { open.event(at: $0, from: 2) }
    #expect(caught.map(open.isApps) == [false, true, false])
    #expect(open.isApps(app))
  }

  @Test("An active app keeps its connection by sending new events") func newEventsRenew() {
    let open = Connections(most: 2)
    let app = open.event(at: 100, from: 1)
    let other = open.event(at: 101, from: 2)
    open.event(at: 102, from: 1, by: app)
    #expect(open.isApps(open.event(at: 103, from: 3)))
    #expect(open.isApps(app) && !open.isApps(other))
  }

  @Test("A closed connection frees its place, and an app paired later counts by its earlier events") func comingAndGoing() {
    let open = Connections(most: 1)
    let app = open.event(at: 100, from: 1)
    open.left(app)
    #expect(!open.isApps(app) && open.isApps(open.event(at: 50, from: 2)))
    let later = open.event(at: 100, from: 3, author: 2)
    #expect(!open.isApps(later))
    open.pair(Make.key(2))
    #expect(open.isApps(later))
    open.event(at: 101, from: 3, by: later, author: 5)
    #expect(open.isApps(later), "a stranger's event over the same connection changes nothing")
  }

  @Test("Repeating an app's event that came over another relay does not count as being that app")
  func knownEventsCountForNothing() throws {
    var limits = RelayLimits()
    limits.connections = 1
    let server = try RelayServer(limits, isUnheard: { $0.content != "caught" })
    defer { server.stop() }
    server.relay.setApps([Make.key(1).publicKey, Make.key(2).publicKey])
    let stranger = try TestClient(server.loop, server.url)
    let event = Make.event(by: Make.key(1), to: Make.key(9).publicKey, content: "caught")
    stranger.say(.event(event))
    #expect(stranger.ok(event.id)?.accepted == true)
    let app = try TestClient(server.loop, server.url)
    #expect(stranger.log.wait(milliseconds: 20_000) { $0.end } == .peerClosed(code: 1008))
    let own = Make.event(by: Make.key(2), to: Make.key(9).publicKey)
    app.say(.event(own))
    #expect(app.ok(own.id)?.accepted == true)
    let refused = try TestClient(server.loop, server.url, mustOpen: false)
    #expect(refused.log.wait(milliseconds: 20_000) { $0.end } == .handshakeRefused(status: 503))
  }
}
