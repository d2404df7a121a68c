import Curve
import Encodings
import HTTPClient
import JSON
import Nostr
import OwnerAPI
import Platform
import Relays
import RemoteSigning
import RequestPreview
import SecretMemory
import Signer
import Sockets

/// One try of a relay: two throwaway keys, of which one subscribes and the other sends it a message as an app would.
struct RelayTrial {
  /// The time limit for the connection and for each answer, in milliseconds.
  private static let patience = 5_000
  /// The longest description of itself (NIP-11) that is read from a relay, in bytes.
  private static let longestInformation = 64 << 10

  private let relay: WebSocketURL
  private let reachesInside: Bool

  /// - Parameter reachesInside: whether the relay may be on this machine or inside the owner's network.
  init(_ relay: WebSocketURL, reachesInside: Bool) { (self.relay, self.reachesInside) = (relay, reachesInside) }

  func result() throws -> RelayTry.Response {
    var response = RelayTry.Response()
    response.url = relay.text
    switch try delay() {
    case .success(let milliseconds): (response.delivers, response.milliseconds) = (true, milliseconds)
    case .failure(let fault): response.why = fault.text
    }
    if let information { describe(information, in: &response) }
    return response
  }

  private struct Fault: Error {
    let text: String

    init(text: String) { self.text = text }

    /// What the relay answered, marked as its words.
    init(saidBy relay: String) { text = "the relay said: “\(RelayClient.shown(relay))”" }
  }

  private func delay() throws -> Result<Int64, Fault> {
    let loop = try EventLoop()
    loop.start()
    defer { loop.stop(within: 1_000) }
    let connection = RelayClient()
    defer { connection.close() }
    switch connection.open(loop, relay, milliseconds: Self.patience, reachesInside: reachesInside) {
    case nil: break
    case .insideNetwork?:
      return .failure(
        Fault(text: "a browser may not try addresses in your network; on the signer's machine: holdfast relay try URL"))
    case let reason?: return .failure(Fault(text: "\(reason)"))
    }
    return try delivery(connection)
  }

  private func delivery(_ connection: RelayClient) throws -> Result<Int64, Fault> {
    let (app, signer) = (try KeyPair.random(), try KeyPair.random())
    let filter = Filter(kinds: [EventKind.remoteSigning], tags: ["p": [signer.publicKey.hex]])
    if let refusal = connection.subscribe("hf-try", filter, milliseconds: Self.patience) {
      return .failure(Fault(saidBy: refusal))
    }
    let message = try UnsignedEvent(
      pubkey: app.publicKey, createdAt: Clock.seconds, kind: EventKind.remoteSigning, tags: [["p", signer.publicKey.hex]],
      content: String(decoding: Base64.encode(SystemRandom.bytes(132)), as: UTF8.self)
    ).signed(by: app)
    let start = Clock.milliseconds
    if let answer = connection.publish(message, milliseconds: Self.patience), !answer.isTaken {
      return .failure(Fault(saidBy: answer.text))
    }
    let arrived: Bool? = connection.wait(milliseconds: Self.patience) { said in
      if case .event("hf-try", let event) = said, event.id == message.id { true } else { nil }
    }
    guard arrived == true else { return .failure(Fault(text: "the message did not come back within 5 seconds")) }
    return .success(max(0, Clock.milliseconds - start))
  }

  /// What the relay says about itself. Nil if it says nothing that can be read.
  private var information: JSONValue? {
    let address = relay.text.replacing(scheme: relay.isSecure)
    var request = HTTPRequest("GET", address, headers: ["Accept: application/nostr+json"])
    (request.limits.connectMilliseconds, request.limits.totalMilliseconds) = (Self.patience, Self.patience)
    request.limits.bodyBytes = Self.longestInformation
    if !reachesInside {
      let own = OwnNetworks.now()
      request.mayConnect = { PublicAddress.isPublic($0) && !own.contains($0) }
    }
    guard let response = try? request.perform(), response.status == 200 else { return nil }
    return try? JSONValue(parsing: response.body)
  }

  private func describe(_ information: JSONValue, in response: inout RelayTry.Response) {
    response.name = information["name"]?.string.map(DescriptionPage.line)
    let limits = information["limitation"]
    response.longestMessage = limits?["max_message_length"]?.integer
    response.needsLogin = limits?["auth_required"]?.bool
    response.needsPayment = limits?["payment_required"]?.bool
  }
}

extension String {
  /// A relay's address as one of HTTP: `wss://` becomes `https://`.
  fileprivate func replacing(scheme isSecure: Bool) -> String {
    (isSecure ? "https" : "http") + dropFirst(isSecure ? 3 : 2)
  }
}
