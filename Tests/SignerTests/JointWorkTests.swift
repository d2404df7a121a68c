import AuditLog
import Curve
import DaemonSupport
import Identities
import JSON
import Nostr
import Platform
import RemoteSigning
import SecretMemory
import TestSupport
import Testing

@testable import Signer

/// A group that has the whole key, and answers when a test lets it.
private final class HeldGroup: GroupWork {
  private let key: KeyPair
  private let waiting = Locked<[@Sendable () -> Void]>([])
  let times: Int

  init(_ key: KeyPair, times: Int = 1) { (self.key, self.times) = (key, times) }

  var count: Int { waiting.withLock { $0.count } }

  func begin(_ task: JointTask, of identity: PublicKey, then: @escaping @Sendable (JointResult) -> Void) {
    waiting.withLock { waiting in waiting.append { [self] in for _ in 0..<times { then(result(of: task)) } } }
  }

  private func result(of task: JointTask) -> JointResult {
    switch task {
    case .sign(let event): (try? event.signed(by: key)).map { .signed($0) } ?? .missing
    case .sharedSecret(let peer): (try? SecretBox(key.sharedX(with: peer))).map { .sharedX($0) } ?? .missing
    }
  }

  func goOn() {
    for task in waiting.withLock({ waiting in
      defer { waiting = [] }; return waiting
    }) { task() }
  }
}

@Suite("Requests that a group carries out") struct JointWorkTests {
  private let signer: Signer
  private let app: App
  private let group: HeldGroup

  init() throws { try self.init(times: 1) }

  private init(times: Int) throws {
    signer = try Signer()
    app = try signer.pairedApp(trust: "full")
    let identity = try signer.identity.publicKey
    group = HeldGroup(try signer.core.identities.keyPair(for: identity), times: times)
    signer.core.engine.setIdentities([])
    signer.core.engine.setKeeping([identity: .inGroup])
    signer.service.group.withLock { $0 = group }
  }

  private func note(_ content: String) -> [String] {
    [#"{"kind":1,"content":"\#(content)","tags":[],"created_at":\#(Clock.seconds)}"#]
  }

  @Test("It is answered once the members are done, after the log has both entries, and holds up nobody") func signs() throws {
    let sent = signer.relay.sent.count
    for number in 0..<8 { try signer.deliver(app, "sign_event", note("number \(number)")) }
    #expect(signer.relay.sent.count == sent && group.count == 8, "more than there are workers")
    #expect(try signer.ask(app, "ping") == .result("pong"))
    #expect(try signer.entries(.requestDone).filter { $0.resultID != nil }.isEmpty)
    group.goOn()
    signer.settle()
    #expect(signer.relay.sent.count == sent + 9)
    guard case .result(let json) = try app.read(signer.relay.sent[sent + 8].event) else { throw Missing() }
    #expect(try Event(parsing: Array(json.utf8)).hasValidSignature)
    signer.close()
  }

  @Test("A group that says twice what came of a task is heard once") func twice() throws {
    let scene = try Self(times: 2)
    let sent = scene.signer.relay.sent.count
    try scene.signer.deliver(scene.app, "sign_event", note("once"))
    scene.group.goOn()
    scene.signer.settle()
    #expect(scene.signer.relay.sent.count == sent + 1)
    scene.signer.close()
    signer.close()
  }

  @Test("While there is no group, an app is told so") func without() throws {
    signer.service.group.withLock { $0 = nil }
    guard case .error(let text) = try signer.ask(app, "sign_event", note("nobody")) else { throw Missing() }
    #expect(text.contains("too few of the devices"))
    signer.close()
  }
}
