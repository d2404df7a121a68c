import Curve
import Encodings
import KeyRotation
import Nostr
import OwnerAPI
import OwnerWords
import Relays
import RemoteSigning
import Signer
import Sockets
import Vault

/// How a rotation uses relays, including those that want a login (NIP-42). The keys are read only when a relay asks for a login.
extension Operations {
  /// The old key's events on relays. Logs in with the old key where a relay wants that, if the key may be used without asking the owner again.
  func found(of old: PublicKey, at relays: [WebSocketURL], _ session: RelaySession, _ call: OperationCall) -> RelaySession.Found {
    let kinds = Rotation.What.allCases.compactMap(\.copied)
    var found = session.fetch(kinds, by: old, from: relays)
    let closed = relays.filter { RelayClient.wantsLogin(found.faults[$0.text] ?? "") }
    guard !closed.isEmpty, !home.isRetired(old), let key = try? keyForOneUse(call, of: old) else { return found }
    let more = session.fetch(
      kinds, by: old, from: closed, RelayLogin([old: key], recordedIn: home.log) { OperationError($0).error })
    for relay in closed { found.faults[relay.text] = more.faults[relay.text] }
    found.events += more.events
    return found
  }

  /// Offers every relay what it has not taken yet. With a login, only the relays that refused because none was made.
  /// - Returns: the rotation with the relays' answers, which are stored.
  func offered(_ rotation: Rotation, _ session: RelaySession, _ login: RelayLogin?) -> Rotation {
    let (state, home) = (LockedRotation(rotation), home)
    let relays = rotation.relays.filter { login == nil || !rotation.wantingLogin(at: $0).isEmpty }
    let open = relays.compactMap { try? WebSocketURL(parsing: $0) }.map { ($0, rotation.open(at: $0.text)) }
    session.publish(to: open, login) { event, answer in state.note(answer, to: event) { (try? home.save($0)) != nil } }
    return state.value
  }

  /// Logs in as each event's author. If the old key is not here any more, the new key logs in for both. The old key is used only for its own
  /// events that are still to be published, because it is retired by now.
  /// - Parameter isProven: whether the owner's credential was checked. If not, it is checked now; without one there is no login.
  /// - Returns: nil when no relay wants a login, or no key is available.
  func login(for rotation: Rotation, _ call: OperationCall, isProven: Bool) throws -> RelayLogin? {
    let wanting = Set(rotation.relays.flatMap { rotation.wantingLogin(at: $0) }.map(\.pubkey))
    guard !wanting.isEmpty, !home.sessionLock.isLocked, isProven || call.hasProof else { return nil }
    if !isProven { try prove(call) }
    var keys: [PublicKey: KeyPair] = [:]
    for author in wanting {
      let held = home.has(author) ? author : rotation.new
      if home.has(held) { keys[author] = try keyForOneUse(call, of: held) }
    }
    return keys.isEmpty ? nil : RelayLogin(keys, recordedIn: home.log) { OperationError($0).error }
  }
}

extension Rotation {
  /// The events that a relay refused because it wants a login.
  func wantingLogin(at relay: String) -> [Event] {
    parts.filter { part in
      part.answers.contains { $0.relay == relay && !$0.isTaken && RelayClient.wantsLogin($0.text) }
    }.map(\.event)
  }
}
