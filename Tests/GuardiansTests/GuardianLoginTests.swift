import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import Sockets
import Testing
import Vault

@testable import Guardians
@testable import OwnerOperations
@testable import Signer

/// What an identity's key signs to read guardians' envelopes is recorded in the log.
@Suite struct GuardianLoginTests {
  /// A relay that wants a login again after each.
  private final class Curious: WebSocketHandler {
    let logins = Locked<[Event]>([])

    private func ask(_ webSocket: WebSocket) { webSocket.send(Array(#"["AUTH","\#(logins.withLock { $0.count })"]"#.utf8)) }
    func opened(_ webSocket: WebSocket) { ask(webSocket) }
    func closed(_ webSocket: WebSocket, reason: CloseReason) {}
    func received(_ webSocket: WebSocket, text: [UInt8]) {
      guard case .auth(let event) = try? ClientMessage(parsing: text, limits: EventLimits()) else { return }
      webSocket.send(Array(#"["OK","\#(event.id.hex)",true,""]"#.utf8))
      logins.change { $0.append(event) }
      ask(webSocket)
    }
  }

  private static func logins(_ signer: Signer) throws -> [AuditEntry] {
    try signer.entries(.requestDecided, .requestDone).filter { $0.eventKind == UInt16(EventKind.relayLogin) }
  }

  private static func login(_ signer: Signer, _ challenge: String = "a") throws -> (UnsignedEvent, KeyPair) {
    let key = try signer.core.identities.keyPair(for: signer.identity.publicKey)
    return (NIP42.event(relay: "wss://one", challenge: challenge, author: key.publicKey, now: 1), key)
  }

  @Test("A login with an identity's key is recorded, and further logins are counted")
  func loginsAreRecorded() throws {
    let signer = try Signer()
    let relay = Curious()
    let loop = try EventLoop()
    loop.start()
    let listener = try loop.listen(
      .init(.tcp(host: "127.0.0.1", port: 0)), service: Service(upgrade: { _ in .accept(relay, WebSocketOptions()) }))
    let service = GuardianService(
      Services(signer.core).guardians, signer.core.identities, signer.core.sessionLock, signer.core.signerEvents,
      log: signer.core.log, loop, signer.workers, relays: ["ws://127.0.0.1:\(listener.port)"])
    try signer.operations.ask("guardian/listen", ["state": "on"])
    service.begin()
    let seen = try unwrap(relay.logins.wait(milliseconds: 20_000) { $0.count >= 3 ? $0 : nil })
    let entries = try Self.logins(signer)
    #expect(entries.map(\.kind) == [.requestDecided, .requestDone])
    #expect(entries.map(\.code) == ["guardian-login", nil] && entries.last?.resultID == seen[0].id)
    #expect(try entries.allSatisfy { try $0.identity == signer.identity.publicKey })
    loop.stop(within: 200)
    service.stop()
    let gathered = try signer.entries(.loginsGathered)
    #expect(gathered.count == 1 && (gathered.first?.amount ?? 0) >= 2)
    signer.close()
  }

  @Test("Logins are recorded separately for each relay and each hour") func eachHourAndRelay() throws {
    let signer = try Signer()
    let (login, key) = try Self.login(signer)
    let logins = GuardianLogins(signer.core.log)
    let (one, two) = (try WebSocketURL(parsing: "wss://one"), try WebSocketURL(parsing: "wss://two"))
    for now in [10, 11, 12, 9 + GuardianLogins.span] { #expect(logins.sign(login, at: one, with: key, now: Int64(now)) != nil) }
    #expect(logins.sign(login, at: two, with: key, now: 13) != nil)
    #expect(try Self.logins(signer).count == 4 && signer.entries(.loginsGathered).isEmpty)
    logins.record(now: 9 + GuardianLogins.span)
    #expect(try signer.entries(.loginsGathered).isEmpty)
    #expect(logins.sign(login, at: one, with: key, now: 10 + GuardianLogins.span) != nil)
    #expect(try Self.logins(signer).count == 6)
    #expect(try signer.entries(.loginsGathered).map(\.amount) == [3])
    logins.record(now: nil)
    #expect(try signer.entries(.loginsGathered).count == 1, "what was not counted has no entry")
    signer.close()
  }

  @Test("A login that cannot be recorded is not signed") func withoutTheLogNobodyLogsIn() throws {
    let signer = try Signer()
    let (login, key) = try Self.login(signer)
    let logins = GuardianLogins(signer.core.log)
    signer.core.log.close()
    for now in 0..<2 {
      #expect(logins.sign(login, at: try WebSocketURL(parsing: "wss://one"), with: key, now: Int64(now)) == nil)
    }
    signer.close()
  }

  @Test("The log records when guardian envelopes are received or no longer, and a slot's new label")
  func settingsAreRecorded() throws {
    let signer = try Signer()
    try signer.operations.ask("guardian/listen", ["state": "on"])
    try signer.operations.ask("guardian/listen", ["state": "off"])
    try signer.operations.ask("slot/rename", ["id": 1, "label": "blue"])
    let entries = try signer.entries(.settingChanged)
    #expect(
      entries.map { $0.rule?.description } == [
        "listens for guardians' letters", "no guardians' letters listened for", "the label of slot 1",
      ])
    #expect(try entries.map(\.identity) == [signer.identity.publicKey, nil, nil])
    #expect(throws: OperationError.self) { try signer.operations.ask("slot/rename", ["id": 9, "label": "red"]) }
    #expect(try signer.entries(.settingChanged).count == 3, "what was not changed has no entry")
    signer.close()
  }
}
