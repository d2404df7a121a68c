internal import AuditLog
internal import Curve
internal import JSON
internal import Nostr
internal import RemoteSigning
internal import Vault

extension Operations {
  func listRequests() -> JSONValue {
    .object([.init("requests", .array(core.engine.pendingRequests.map(describe)))])
  }

  func answerRequest(_ given: Parameters, approve: Bool) throws(OperationFailure) -> JSONValue {
    guard let running else { throw .needsDaemon }
    let name = try given.text("id")
    guard let exchange = core.engine.answerPending(name, approve: approve) else {
      throw .notFound(
        "No request of that name waits; it may have been answered, or its app is gone.", hint: "See: holdfast request list")
    }
    running.carryOut(exchange, answering: name)
    return .object([.init("id", .string(name)), .init(approve ? "approved" : "denied", .bool(true))])
  }

  /// Signs an event for the owner, who asks for it by name: no rule is asked.
  func sign(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let identity = try identity(named: given.optionalText("identity"))
    guard let event = given["event"] else { throw .usage("There is no event to sign.") }
    let template: EventTemplate
    do { template = try EventTemplate(parsing: event.string.map { Array($0.utf8) } ?? event.serialized()) } catch {
      throw .usage(
        "This is no event: \(error).", hint: #"It looks like {"kind":1,"content":"hello","tags":[],"created_at":1700000000}"#)
    }
    if let key = template.pubkey, key != identity.publicKey {
      throw .usage("The event names another key than identity “\(identity.name)”.", hint: "Choose with --identity NAME.")
    }
    let key = try vaultStep { try core.identities.keyPair(for: identity.publicKey) }
    let unsigned = template.unsigned(by: identity.publicKey, now: Clock.seconds)
    do { _ = try core.log.appendAndWait(.ownerSigns(unsigned)) } catch { throw OperationFailure(error) }
    let signed = try vaultStep { try unsigned.signed(by: key) }
    core.log.note(.ownerSigned(signed))
    return try vaultStep { try JSONValue(parsing: signed.json()) }
  }

  private func describe(_ request: PendingRequest) -> JSONValue {
    .object([
      .init("id", .string(request.name)), .init("client", .string(request.client.hex)),
      .init("client_name", .string(name(ofClient: request.client, at: request.remoteSigner))),
      .init("identity", .string(name(ofIdentity: request.identity))), .init("method", .string(request.method.rawValue)),
      .init("kind", request.kind.map { .integer(Int64($0)) } ?? .null), .init("summary", .string(RequestSummary.text(request))),
      .init("reason", .string(request.rule.rawValue)), .init("received", .integer(request.receivedAt)),
    ])
  }
}
