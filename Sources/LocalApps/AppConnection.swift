import Curve
import Encodings
import Identities
import JSON
import Nostr
import Platform
import RemoteSigning
import Signer
import Sockets

/// One program's connection. Its requests run on the workers.
final class AppConnection: LineHandler {
  private let app: AppService
  private let connection: LineConnection
  private let process: PeerProcess
  private let user: UInt32
  /// Its file when it connected. A process that becomes another program afterwards is refused.
  private let first: ExecutableState?
  /// The requests that were not answered yet. Nil once the connection has ended.
  private let open = Locked<Set<Bytes32>?>([])
  private typealias Asker = @Sendable (Result<LocalCaller, AppFault>) -> Void
  private enum Peer: Sendable {
    case unknown
    /// These wait until it is known.
    case beingRead([Asker])
    /// As long as its file is as it was.
    case known(ExecutableState, LocalCaller)
  }

  private let peer = Locked(Peer.unknown)
  /// Bytes of its requests that no worker has taken up yet.
  private let queued = Locked(0)

  init(_ app: AppService, _ connection: LineConnection, _ process: PeerProcess, user: UInt32) {
    (self.app, self.connection, self.process, self.user) = (app, connection, process, user)
    first = ExecutableState(of: process)
  }

  func received(_ connection: LineConnection, line: [UInt8]) {
    let request: AppRequest
    do throws(AppRequest.Unreadable) { request = try AppRequest(line: line) } catch {
      connection.send(AppAnswer.error(error.fault, to: error.id))
      return
    }
    let local = LocalRequest(request.method.method, request.parameters)
    guard begin(local.id, line.count) else { return refuse(request, .tooManyAtOnce) }
    let isQueued = app.workers.submit { [self] in identify(request.reply, request.identity, local, line.count) }
    if !isQueued {
      underWay(-line.count)
      end(local.id, AppAnswer.error(.tooManyAtOnce, to: request.id))
    }
  }

  /// What waits for the owner ends with its connection: nobody would get the answer.
  func closed(_ connection: LineConnection) {
    let ids = open.withLock { open in
      defer { open = nil }
      return open ?? []
    }
    let waiting = ids.filter { app.answers.forget($0) }
    guard !waiting.isEmpty else { return }
    app.workers.submitAlways { [app] in app.service.withdraw(waiting) }
  }

  private func identify(_ reply: AppReply, _ identity: String?, _ local: LocalRequest, _ bytes: Int) {
    identified { [self] found in
      defer { underWay(-bytes) }
      guard isOpen else { return }
      do throws(AppFault) { try carryOut(reply, identity, local, try found.get()) } catch {
        end(local.id, AppAnswer.error(error, to: reply.id))
      }
    }
  }

  /// Calls back with who it is, at once or when it was read. It is read anew when its file is another one.
  private func identified(_ then: @escaping Asker) {
    let state = ExecutableState(of: process)
    guard let state, state == first else { return then(.failure(.changed)) }
    let (caller, mustRead) = peer.withLock { peer -> (LocalCaller?, Bool) in
      switch peer {
      case .known(let known, let caller) where known == state && process.isAlive: return (caller, false)
      case .beingRead(let askers):
        peer = .beingRead(askers + [then])
        return (nil, false)
      case .unknown, .known:
        peer = .beingRead([then])
        return (nil, true)
      }
    }
    if let caller { return then(.success(caller)) }
    guard mustRead else { return }
    let isTaken = app.reader.read(process, user: user) { [self] found in
      app.workers.submitAlways { [self] in wasRead(state, found) }
    }
    if !isTaken { wasRead(state, .failure(.tooManyRead)) }
  }

  private func wasRead(_ state: ExecutableState, _ found: Result<LocalCaller, AppFault>) {
    let askers = peer.withLock { peer -> [Asker] in
      guard case .beingRead(let askers) = peer else { return [] }
      peer = if case .success(let caller) = found { .known(state, caller) } else { .unknown }
      return askers
    }
    for asker in askers { asker(found) }
  }

  private func carryOut(
    _ reply: AppReply, _ identity: String?, _ local: LocalRequest, _ caller: LocalCaller
  ) throws(AppFault) {
    let identity = try app.callers.identity(identity).publicKey
    let pairing = try app.callers.pairing(of: caller, for: identity)
    if !pairing.grant.isFirstUse { connection.noteUse() }
    app.answers.expect(local.id) { [weak self] answer in self?.take(answer, to: reply, local.id, caller) }
    guard app.service.take(local, at: pairing.remoteSigner) else {
      _ = app.answers.forget(local.id)
      throw AppFault(.rateLimited, "The signer takes no more requests of this program for now.")
    }
    if !isOpen, app.answers.forget(local.id) { app.service.withdraw([local.id]) }
  }

  private func take(_ answer: JSONValue, to reply: AppReply, _ id: Bytes32, _ caller: LocalCaller) {
    end(id, AppAnswer.of(answer, to: reply, identities: list(caller)))
  }

  private func list(_ caller: LocalCaller) -> JSONValue {
    .array(
      app.callers.identities(of: caller).map { identity in
        .object([
          .init("name", .string(identity.name)), .init("pubkey", .string(identity.publicKey.hex)),
          .init("npub", .string(identity.publicKey.npub)),
        ])
      })
  }

  private func refuse(_ request: AppRequest, _ fault: AppFault) { connection.send(AppAnswer.error(fault, to: request.id)) }

  private func begin(_ id: Bytes32, _ bytes: Int) -> Bool {
    guard mayBegin(bytes) else { return false }
    let isBegun = open.withLock { open in
      guard let count = open?.count, count < AppSocket.requestsAtOnce else { return false }
      open?.insert(id)
      return true
    }
    if !isBegun { underWay(-bytes) }
    return isBegun
  }

  /// Counts the bytes of requests that no worker has taken up yet, of this connection and of all.
  private func mayBegin(_ bytes: Int) -> Bool {
    guard app.bytes.withLock({ $0 + bytes <= AppSocket.bytesAtOnce }), queued.withLock({ $0 + bytes <= AppSocket.bytesOfOne })
    else { return false }
    underWay(bytes)
    return true
  }

  private func underWay(_ bytes: Int) {
    app.bytes.withLock { $0 += bytes }
    queued.withLock { $0 += bytes }
  }

  private var isOpen: Bool { open.withLock { $0 != nil } }

  private func end(_ id: Bytes32, _ line: [UInt8]) {
    let isAwaited = open.withLock { $0?.remove(id) != nil }
    if isAwaited { connection.send(line) }
  }
}

extension AppFault {
  fileprivate static let changed = AppFault(
    .notAllowed, "The program that connected has ended, or became another one, or its file was replaced. Connect again.")
  fileprivate static let tooManyRead = AppFault(
    .rateLimited, "The signer is finding out about other programs; ask again in a moment.")
  fileprivate static let tooManyAtOnce = AppFault(
    .rateLimited, "At most \(AppSocket.requestsAtOnce) requests of one connection, and 4 MiB of them, are under way at once.")
}
