import Curve
import Encodings
import KeyRotation
import Nostr
import OwnerAPI
import Relays
import RemoteSigning
import Signer
import Sockets
import Vault

/// A rotation's talk with relays, those that want a login (NIP-42) included. The keys are taken out only when a relay asks for them.
extension Operations {
  /// What relays have of the old key. It says who it is where a relay wants to know, if it may be used without asking the owner again.
  func found(of old: PublicKey, at relays: [WebSocketURL], _ talk: RelaySession, _ call: OperationCall) -> RelaySession.Found {
    let kinds = Rotation.What.allCases.compactMap(\.copied)
    var found = talk.fetch(kinds, by: old, from: relays)
    let closed = relays.filter { RelayClient.wantsLogin(found.faults[$0.text] ?? "") }
    guard !closed.isEmpty, !core.isRetired(old), let key = try? keyForOneUse(call, of: old) else { return found }
    let more = talk.fetch(kinds, by: old, from: closed, RelayLogin([old: key], recordedIn: core.log) { OperationError($0).error })
    for relay in closed { found.faults[relay.text] = more.faults[relay.text] }
    found.events += more.events
    return found
  }

  /// Offers every relay what it has not taken yet; with a login, only those that refused for want of one.
  /// - Returns: with what they said, which is stored.
  func offered(_ rotation: Rotation, _ talk: RelaySession, _ login: RelayLogin?) -> Rotation {
    let (state, core) = (LockedRotation(rotation), core)
    let relays = rotation.relays.filter { login == nil || !rotation.wantingLogin(at: $0).isEmpty }
    let open = relays.compactMap { try? WebSocketURL(parsing: $0) }.map { ($0, rotation.open(at: $0.text)) }
    talk.publish(to: open, login) { event, answer in state.note(answer, to: event) { (try? core.save($0)) != nil } }
    return state.value
  }

  /// Each event's author logs in for it; where the old key is not here any more, the new one for both. The old key only for what is
  /// still to be published of its own: it is retired by now.
  /// - Parameter isProven: whether the owner's proof was checked; if not, it is checked now, and without one nobody logs in.
  /// - Returns: nil when no relay wants one, or no key can be had.
  func login(for rotation: Rotation, _ call: OperationCall, isProven: Bool) throws -> RelayLogin? {
    let wanting = Set(rotation.relays.flatMap { rotation.wantingLogin(at: $0) }.map(\.pubkey))
    guard !wanting.isEmpty, !core.sessionLock.isLocked, isProven || call.hasProof else { return nil }
    if !isProven { try prove(call) }
    var keys: [PublicKey: KeyPair] = [:]
    for author in wanting {
      let held = core.has(author) ? author : rotation.new
      if core.has(held) { keys[author] = try keyForOneUse(call, of: held) }
    }
    return keys.isEmpty ? nil : RelayLogin(keys, recordedIn: core.log) { OperationError($0).error }
  }
}

extension Rotation {
  /// What a relay did not take because it wants to know who asks.
  func wantingLogin(at relay: String) -> [Event] {
    parts.filter { part in
      part.answers.contains { $0.relay == relay && !$0.isTaken && RelayClient.wantsLogin($0.text) }
    }.map(\.event)
  }
}
