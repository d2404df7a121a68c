internal import Curve
internal import Identities
internal import JSON
internal import KeyRotation
internal import Nostr
internal import OwnerAPI
internal import Signer
internal import Sockets
internal import Vault

/// `identity/accounts`: which accounts of an identity's words were used, as far as relays know. Nothing is imported.
///
/// As wallets search (BIP-44, "address gap limit"): from account 0 on, until so many in a row are unknown everywhere.
extension Operations {
  /// Accounts in a row without an event, after which the search ends.
  static let accountGap: UInt32 = 20
  /// Accounts that are searched at most.
  static let mostAccounts: UInt32 = 1_000

  func scanAccounts(_ given: Parameters) throws -> JSONValue {
    let identity = try identity(named: given.text("name"))
    guard identity.words != nil else { throw OperationError.noWords(identity.name) }
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    let held = try presence(given, isNeededFor: [identity.protection])
    let accounts = try core.identities.accounts(of: identity.publicKey, passphrase: given.secret("words_passphrase"), by: held)
    let (named, asked) = try relays(of: identity, given)
    let talk = try RelaySession(named: named)
    defer { talk.end() }
    var (open, faults) = (asked, [String: String]())
    var (listed, next, end) = ([JSONValue](), UInt32(0), Self.accountGap)
    while next < end {
      let keys = try (next..<end).map { number in
        (number, try accounts.publicKey(number))
      }
      let known = open.isEmpty ? RelaySession.Known() : talk.known(keys.map(\.1), at: open)
      faults.merge(known.faults) { first, _ in first }
      open.removeAll { faults[$0.text] != nil }
      if !asked.isEmpty, open.isEmpty, next == 0, known.authors.isEmpty { throw OperationError.noRelayAnswered(faults) }
      next = end
      for (number, key) in keys {
        let here = core.identities.all.first { $0.publicKey == key }?.name
        let isFound = known.authors.contains(key)
        guard isFound || here != nil else { continue }
        listed.append(Self.account(number, key, isFound, here))
        end = min(number + 1 + Self.accountGap, Self.mostAccounts)
      }
    }
    return .object([
      .init("accounts", .array(listed)), .init("gap_limit", .integer(Int64(Self.accountGap))),
      .init("searched", .integer(Int64(next))), .init("relays", .array(asked.map { .string($0.text) })),
      .init(
        "unreachable",
        .array(faults.sorted { $0.key < $1.key }.map { ["relay": .string($0.key), "why": .string($0.value)] })),
    ])
  }

  private static func account(_ number: UInt32, _ key: PublicKey, _ isFound: Bool, _ here: String?) -> JSONValue {
    .object([
      .init("account", .integer(Int64(number))), .init("npub", .string(key.npub)), .init("pubkey", .string(key.hex)),
      .init("found", .bool(isFound)), .init("here", here.map { .string($0) } ?? .null),
    ])
  }

  /// Those that are named, else those the identity is known to use.
  /// - Returns: the owner's words among them, too.
  private func relays(
    of identity: Identity, _ given: Parameters
  ) throws -> (named: [WebSocketURL], all: [WebSocketURL]) {
    let named = try given.namedRelays()
    guard named.isEmpty else { return (named, RotationDraft.distinct(named)) }
    let noted = identity.details.relays.compactMap { try? WebSocketURL(parsing: $0) }
    return (
      noted, RotationDraft.distinct(noted + RotationDraft.relays(in: core.latest(EventKind.relayList, of: identity.publicKey)))
    )
  }
}
