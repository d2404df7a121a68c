import AuditLog
import Curve
import Encodings
import Identities
import JSON
import KeyRotation
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import Signer
import Vault

/// A statement signed in advance, for the day when the old key can no longer sign, with the identity that it names.
struct PreparedSuccession {
  let statement: Event
  let identity: Identity
}

/// `identity succession`: a statement signed in advance.
extension Operations {
  /// Shows the stored statement. If there is none, makes one that names a new key.
  func prepareSuccession(
    _ request: IdentitySuccession.Request, _ call: OperationCall
  ) throws -> IdentitySuccession.Response {
    let old = try rotatedKey(request.identity.name)
    let kept = try home.succession(of: old)
    if let kept, !request.renews { return try describe(kept, isNew: false) }
    if request.onlyShows { throw OperationError.noSuccession }
    guard home.identities.all.contains(where: { $0.publicKey == old }) else {
      throw OperationError.noIdentity(named: request.identity.name, among: home.identities.all.map(\.name))
    }
    guard !home.isRetired(old) else { throw OperationError.retired(name(ofIdentity: old)) }
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    try prove(call)
    let held = try presence(call, isNeededFor: [protection(of: old)])
    let key = try home.identities.keyPair(for: old, by: held)
    let statement: Event
    if let name = request.to, let named = otherKey(name) {
      guard named != old else { throw OperationError.usage("A key cannot be its own successor.") }
      statement = try signed(old, to: named, by: key)
      try home.outbox.recording(.event(.successionSigned, identity: old)) {
        try home.vault.transaction([Self.change(statement)])
      }
    } else {
      statement = try home.outbox.recordingIdentity({ [.added($0), .event(.successionSigned, identity: old)] }) {
        try withFreshKey(old, key, name: request.to, held)
      }
    }
    home.signerEvents.tell(.identitiesChanged)
    return try describe(statement, isNew: true)
  }

  /// The stored statement and the identity that it names, which must be here.
  func preparedSuccession(of old: PublicKey) throws -> PreparedSuccession {
    guard let statement = try home.succession(of: old) else { throw OperationError.noSuccession }
    let new = try Succession.successor(namedBy: statement)
    guard let identity = home.identities.all.first(where: { $0.publicKey == new }) else {
      throw OperationError.notFound(
        "The statement names \(new.npub), but the vault does not have that key.", hint: "Import it: holdfast identity import NAME"
      )
    }
    return PreparedSuccession(statement: statement, identity: identity)
  }

  /// The public key of an identity here by its name, or of any npub or hex. Nil for the name of an identity that is to be made.
  private func otherKey(_ name: String) -> PublicKey? { home.identities.find(name)?.publicKey ?? PublicKey(npubOrHex: name) }

  private func withFreshKey(
    _ old: PublicKey, _ key: KeyPair, name: String?, _ held: HeldPresence?
  ) throws -> Event {
    let protection = protection(of: old)
    let name = if let name { name } else { try freeName(like: self.name(ofIdentity: old)) }
    var made: Event?
    _ = try home.identities.createSuccessor(
      NewIdentity(name, protection: protection), by: held, now: Clock.milliseconds
    ) { (new) throws(VaultError) in
      let statement: Event
      do { statement = try signed(old, to: new.publicKey, by: key) } catch {
        throw VaultError.io("recording the statement", code: 0)
      }
      made = statement
      return [Self.change(statement)]
    }
    try home.loadIdentities()
    guard let made else { throw OperationError.notStored }
    return made
  }

  private func signed(_ old: PublicKey, to new: PublicKey, by key: KeyPair) throws -> Event {
    try home.log.signing(Succession.statement(from: old, to: new, reason: .prepared, now: Clock.seconds), with: key)
  }

  private static func change(_ statement: Event) -> RecordChange {
    .put(.successionStatement, statement.pubkey.bytes.array, statement.json())
  }

  private func describe(_ statement: Event, isNew: Bool) throws -> IdentitySuccession.Response {
    var response = IdentitySuccession.Response()
    (response.identity, response.successor) = (who(statement.pubkey), who(try Succession.successor(namedBy: statement)))
    (response.made, response.isNew) = (statement.createdAt, isNew)
    response.statement = try JSONValue(parsing: statement.json())
    return response
  }
}

extension OperationError {
  fileprivate static let noSuccession = notFound(
    "The vault has no statement of succession for this key.",
    hint: "Sign one before the key is lost: holdfast identity succession NAME")
}
