import Curve
import Foundation
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

/// The embedded relay with more who want to be connected than it takes.
@Suite struct CrowdedRelayTests {
  private let time = TestClock()

  private func server(apps: Range<Int>, _ change: (inout RelayLimits) -> Void) throws -> RelayServer {
    var limits = RelayLimits()
    change(&limits)
    let server = try RelayServer(limits, time: time)
    server.relay.setApps(Set(apps.map { Make.key($0).publicKey }))
    return server
  }

  private func app(_ server: RelayServer, _ number: Int) throws -> TestClient {
    let client = try TestClient(server.loop, server.url)
    #expect(client.listen(Make.key(number).publicKey))
    return client
  }

  private func isOpen(_ client: TestClient) -> Bool { client.log.withLock { $0.end == nil } }
  private func isPushedOut(_ client: TestClient) -> Bool {
    client.log.wait(milliseconds: 20_000) { $0.end } == .peerClosed(code: 1008)
  }

  @Test("An unknown connection is closed to admit an app, and a paired app's connection stays") func strangersMakeRoom() throws {
    let server = try server(apps: 1..<3) { $0.connections = 3 }
    defer { server.stop() }
    let waiting = try app(server, 1)
    let strangers = try (0..<2).map { _ in try TestClient(server.loop, server.url) }
    let second = try app(server, 2)
    #expect(isPushedOut(strangers[0]))
    let event = Make.event(to: Make.key(1).publicKey)
    server.relay.publish(event)
    #expect(waiting.event(event.id) != nil)
    #expect(isOpen(second) && isOpen(strangers[1]))
    #expect(server.relay.shortage.pushedOut == 1)
  }

  @Test("Unknown connections of one address cannot take all places, but its paired apps can") func appsOfOneAddressAllStay()
    throws
  {
    let server = try server(apps: 1..<31) {
      $0.connections = 40
      $0.strangersPerHolder = 10
    }
    defer { server.stop() }
    let apps = try (1..<31).map { try app(server, $0) }
    let strangers = try (0..<30).map { _ in try TestClient(server.loop, server.url) }
    #expect(isPushedOut(strangers[0]))
    #expect(apps.allSatisfy(isOpen))
    #expect(server.waitUntil { $0.counts.connections <= 40 })
  }

  @Test("Claiming an app's key protects only a few connections") func aKeyIsGoodForAFewConnections() throws {
    let server = try server(apps: 1..<3) {
      $0.connections = 4
      $0.connectionsPerApp = 2
    }
    defer { server.stop() }
    let many = try (0..<4).map { _ in try app(server, 1) }
    let other = try app(server, 2)
    #expect(isPushedOut(many[2]))
    #expect(isOpen(many[0]) && isOpen(many[1]) && isOpen(other))
  }

  @Test("A connection that sent an app's event counts as the app, even if strangers subscribe to its key")
  func anEventIsBetterThanAClaim() throws {
    let server = try server(apps: 1..<2) {
      $0.connections = 4
      $0.connectionsPerApp = 2
    }
    defer { server.stop() }
    let claiming = try (0..<2).map { _ in try app(server, 1) }
    let genuine = try app(server, 1)
    let event = Make.event(by: Make.key(1), to: Make.key(9).publicKey)
    genuine.say(.event(event))
    #expect(genuine.ok(event.id)?.accepted == true)
    let stranger = try TestClient(server.loop, server.url)
    let newcomer = try TestClient(server.loop, server.url)
    #expect(isPushedOut(stranger))
    #expect(isOpen(genuine) && claiming.allSatisfy(isOpen) && isOpen(newcomer))
  }

  @Test("An event signed by a stranger protects no connection") func strangersEventsCountForNothing() throws {
    let server = try server(apps: 1..<2) { $0.connections = 1 }
    defer { server.stop() }
    let stranger = try TestClient(server.loop, server.url)
    let event = Make.event(by: Make.key(5), to: Make.key(9).publicKey)
    stranger.say(.event(event))
    #expect(stranger.ok(event.id)?.accepted == true)
    _ = try app(server, 1)
    #expect(isPushedOut(stranger))
  }

  @Test("A revoked app's connections are no longer protected") func revokedAppsMakeRoom() throws {
    let server = try server(apps: 1..<3) { $0.connections = 1 }
    defer { server.stop() }
    let revoked = try app(server, 1)
    let refused = try TestClient(server.loop, server.url, mustOpen: false)
    #expect(refused.log.wait(milliseconds: 20_000) { $0.end } == .handshakeRefused(status: 503))
    #expect(server.relay.shortage.refused == 1)
    server.relay.setApps([Make.key(2).publicKey])
    time.advance(milliseconds: 2_000)
    _ = try app(server, 2)
    #expect(isPushedOut(revoked))
  }
}
