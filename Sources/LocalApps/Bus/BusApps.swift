import Desktop
import Platform
import RemoteSigning
package import Signer
import Sockets

/// Answers programs on this machine over the session bus, as `org.holdfast.Signer1`. Who asks is the process that the bus names.
package final class BusApps: Sendable {
  private struct State {
    /// By the unique names of their connections.
    var peers: [String: BusPeer] = [:]
    /// Grows with each call, for finding the peer that has called least recently.
    var calls: UInt64 = 0
  }

  /// The most connections of which something is remembered. A further one takes the place of the one that called least recently, if that
  /// waits for nothing.
  static let mostPeers = 1_024

  private let app: AppService
  private let sessionLock: SessionLock
  private let state = Locked(State())
  private let host = Locked<BusHost?>(nil)

  /// - Parameter version: of the program.
  package init(_ app: AppService, _ sessionLock: SessionLock, _ signerEvents: SignerEvents, version: String) {
    (self.app, self.sessionLock) = (app, sessionLock)
    let object = BusObject(
      path: BusContract.path, interfaces: [BusContract.interface],
      property: { [weak self] _, name in
        name == BusContract.version ? .text(version) : .flag(self?.sessionLock.isLocked ?? true)
      }, call: { [weak self] in self?.called($0) })
    let hooks = BusHost.Hooks(
      connected: {}, signal: { [weak self] in self?.heard($0) }, disconnected: { [weak self] in self?.leave() })
    host.withLock { $0 = BusHost(name: BusContract.name, objects: [object], hooks: hooks) }
    signerEvents.subscribe { [weak self] signerEvent in if case .lockChanged = signerEvent { self?.tellLock() } }
  }

  /// Connects, if there may be a session bus.
  package func start() { if BusHost.mayBeOfUse { host.withLock { $0 }?.start() } }

  /// Leaves the bus.
  package func stop() { host.withLock { $0 }?.stop() }

  private func tellLock() {
    bus?.tellChanged(BusContract.path, BusContract.name, [(BusContract.locked, .flag(sessionLock.isLocked))])
  }

  private var bus: BusHost? { host.withLock { $0 } }

  // MARK: on the host's thread

  private func called(_ call: BusCall) {
    let request: AppRequest
    do throws(AppFault) { request = try AppRequest(member: call.member, texts: call.values.compactMap(\.text)) } catch {
      bus?.answer(call, BusContract.answer(.failure(error)))
      return
    }
    guard let peer = peer(call.sender) else {
      bus?.answer(call, BusContract.answer(.failure(.tooManyPeers)))
      return
    }
    let bytes = call.values.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
    peer.take(request, bytes: bytes) { [bus] outcome in bus?.answer(call, BusContract.answer(outcome)) }
  }

  /// The peer of that name, which is found out about if it calls for the first time.
  /// - Returns: nil when there is no room for a further one.
  private func peer(_ name: String) -> BusPeer? {
    let (peer, isNew, removed) = state.withLock { state -> (BusPeer?, Bool, String?) in
      state.calls += 1
      if let known = state.peers[name] {
        known.lastCall = state.calls
        return (known, false, nil)
      }
      var removed: String?
      if state.peers.count >= Self.mostPeers {
        guard let idle = state.peers.filter({ $0.value.isIdle }).min(by: { $0.value.lastCall < $1.value.lastCall }) else {
          return (nil, false, nil)
        }
        removed = idle.key
        state.peers[idle.key] = nil
      }
      let peer = BusPeer(app, lastCall: state.calls)
      state.peers[name] = peer
      return (peer, true, removed)
    }
    if let removed { bus?.askBus("RemoveMatch", [.text(Self.rule(removed))]) }
    if isNew, let peer { findOut(name, peer) }
    return peer
  }

  /// The signal that the connection has ended is asked for first, so that the end cannot be missed.
  private func findOut(_ name: String, _ peer: BusPeer) {
    bus?.askBus("AddMatch", [.text(Self.rule(name))])
    bus?.askBus("GetConnectionCredentials", [.text(name)]) { [weak self, peer] answer in
      guard let user = (try? answer.get())?.first?["UnixUserID"]?.uint32 else { return self?.remove(name) ?? () }
      // No incident, unlike at the apps' socket: it is the bus that lets others in, and they could lock the signer down by a call.
      guard user == geteuid() else { return peer.isKnown(.failure(.otherUser)) }
      let id = (try? answer.get())?.first?["ProcessID"]?.uint32.flatMap { Int32(exactly: $0) }
      guard let process = id.flatMap({ PeerProcess(id: $0) }) else { return peer.isKnown(.failure(.unseen)) }
      peer.isKnown(.success((process, user)))
    }
  }

  private static func rule(_ name: String) -> String {
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'"
  }

  /// Only the bus says that a connection has ended.
  private func heard(_ signal: BusSignal) {
    guard signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged", signal.values.count == 3,
      let name = signal.values[0].text, name.hasPrefix(":"), signal.values[2].text == ""
    else { return }
    remove(name)
  }

  /// What it waits for ends with its connection: nobody would get the answer.
  private func remove(_ name: String) {
    guard let peer = state.withLock({ $0.peers.removeValue(forKey: name) }) else { return }
    peer.end()
    bus?.forget(sender: name)
    bus?.askBus("RemoveMatch", [.text(Self.rule(name))])
  }

  private func leave() {
    let peers = state.withLock { state in
      defer { state.peers = [:] }
      return state.peers.values
    }
    for peer in peers { peer.end() }
  }
}

extension AppFault {
  fileprivate static let tooManyPeers = AppFault(.rateLimited, "Too many programs wait for the signer; ask again later.")
  fileprivate static let otherUser = AppFault(.notAllowed, "The signer answers programs of its own user only.")
}
