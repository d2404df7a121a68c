import Curve
import Identities
import JSON
import KeyRotation
import Nostr
import OwnerAPI
import OwnerWords
import Signer
import Sockets
import Vault

/// `identity/accounts`: which accounts of an identity's words were used, as far as relays know. Nothing is imported.
///
/// It searches as wallets do (BIP-44, "address gap limit"): from account 0 on, until so many accounts in a row are unknown
/// everywhere.
extension Operations {
  /// The search ends after so many accounts in a row without an event.
  static let accountGap: UInt32 = 20
  /// The most accounts that are searched.
  static let mostAccounts: UInt32 = 1_000

  func scanAccounts(_ request: IdentityAccounts.Request, _ call: OperationCall) throws -> IdentityAccounts.Response {
    let identity = try identity(named: request.identity.name)
    guard identity.words != nil else { throw OperationError.noWords(identity.name) }
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    let held = try presence(call, isNeededFor: [identity.protection])
    let accounts = try home.identities.accounts(of: identity.publicKey, passphrase: request.wordsPassphrase, by: held)
    let (named, asked) = try relays(of: identity, request.relays)
    let session = try RelaySession(named: named)
    defer { session.end() }
    var (open, faults) = (asked, [String: String]())
    var (listed, next, end) = ([WordsAccount](), UInt32(0), Self.accountGap)
    while next < end {
      let keys = try (next..<end).map { number in
        (number, try accounts.publicKey(number))
      }
      let known = open.isEmpty ? RelaySession.Known() : session.known(keys.map(\.1), at: open)
      faults.merge(known.faults) { first, _ in first }
      open.removeAll { faults[$0.text] != nil }
      if !asked.isEmpty, open.isEmpty, next == 0, known.authors.isEmpty { throw OperationError.noRelayAnswered(faults) }
      next = end
      for (number, key) in keys {
        let here = home.identities.all.first { $0.publicKey == key }?.name
        let isFound = known.authors.contains(key)
        guard isFound || here != nil else { continue }
        listed.append(Self.account(number, key, isFound, here))
        end = min(number + 1 + Self.accountGap, Self.mostAccounts)
      }
    }
    var response = IdentityAccounts.Response()
    (response.accounts, response.gapLimit, response.searched) = (listed, Int64(Self.accountGap), Int64(next))
    (response.relays, response.unreachable) = (asked.map(\.text), Self.told(faults))
    return response
  }

  private static func account(_ number: UInt32, _ key: PublicKey, _ isFound: Bool, _ here: String?) -> WordsAccount {
    var account = WordsAccount()
    (account.account, account.npub, account.pubkey) = (Int64(number), key.npub, key.hex)
    (account.isFound, account.here) = (isFound, here)
    return account
  }

  /// Why relays could not be read, ordered by address.
  static func told(_ faults: [String: String]) -> [RelayFault] {
    faults.sorted { $0.key < $1.key }.map { RelayFault(relay: $0.key, why: $0.value) }
  }

  /// The named relays, or else those that the identity is known to use.
  /// - Returns: first the relays that the owner named, then all.
  private func relays(
    of identity: Identity, _ texts: [String]
  ) throws -> (named: [WebSocketURL], all: [WebSocketURL]) {
    let named = try Self.namedRelays(texts)
    guard named.isEmpty else { return (named, RotationDraft.distinct(named)) }
    let noted = identity.details.relays.compactMap { try? WebSocketURL(parsing: $0) }
    return (
      noted, RotationDraft.distinct(noted + RotationDraft.relays(in: home.latest(EventKind.relayList, of: identity.publicKey)))
    )
  }

  /// The relays that the owner named in an operation.
  static func namedRelays(_ texts: [String]) throws(OperationError) -> [WebSocketURL] {
    try texts.map { text throws(OperationError) in
      guard let relay = try? WebSocketURL(parsing: text) else {
        throw .usage("A relay given with --relay is not a ws:// or wss:// address.")
      }
      return relay
    }
  }
}
