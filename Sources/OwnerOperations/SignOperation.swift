import AuditLog
import Curve
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer
import Vault

/// Signs an event that the owner asks for. No rule applies.
extension Operations {
  static let signHandlers: [OperationHandler] = [.init(Sign.self) { try $0.sign($1, $2) }]

  private func sign(_ request: Sign.Request, _ call: OperationCall) throws -> Sign.Response {
    let identity = try usedIdentity(named: request.identity)
    let template = try Self.template(request)
    if let key = template.pubkey, key != identity.publicKey {
      throw OperationError.usage(
        "The event's pubkey is not the key of “\(identity.name)”.", hint: "Choose the identity with --identity NAME.")
    }
    // The vault still opens keys of the class `after-first-unlock`. After a lockdown no key is used.
    guard !home.sessionLock.isShut else { throw OperationError.unlockFirst }
    let key = try keyForOneUse(call, of: identity.publicKey)
    let now = Clock.seconds
    guard !SigningTime.isAhead(template.createdAt, of: now) || request.allowsDateAhead else { throw OperationError.datedAhead }
    guard let unsigned = try home.reserve(template, of: identity.publicKey, now: now) else {
      throw OperationError.failed(
        "Holdfast has signed another event of kind \(template.kind) with this created_at, or many later ones.",
        hint: "Use a later created_at. To forget the earlier events: holdfast identity reset-event")
    }
    return Sign.Response(try home.log.signing(unsigned, with: key))
  }

  private static func template(_ request: Sign.Request) throws -> EventTemplate {
    guard let event = request.event else { throw OperationError.usage("There is no event to sign.") }
    do { return try EventTemplate(parsing: event.string.map { Array($0.utf8) } ?? event.serialized()) } catch {
      throw OperationError.usage(
        "This is not an event: \(error.words).",
        hint: #"An event looks like {"kind":1,"content":"hello","tags":[],"created_at":1700000000}"#)
    }
  }
}

extension Sign.Response {
  init(_ event: Event) {
    self.init()
    (id, pubkey, createdAt, kind) = (event.id.hex, event.pubkey.hex, event.createdAt, Int64(event.kind))
    tags = .array(event.tags.map { tag in .array(tag.map { .string($0) }) })
    (content, sig) = (event.content, event.signature.hex)
  }
}

extension OperationError {
  fileprivate static let datedAhead = OperationError(
    .denied, "The event is dated more than 15 minutes ahead. Relays would prefer it to everything that you sign until then.",
    hint: "Leave out created_at to use the present time. To sign it anyway: holdfast sign --date-ahead")
}
