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

  init(_ app: AppService, _ connection: LineConnection, _ process: PeerProcess, user: UInt32) {
    (self.app, self.connection, self.process, self.user) = (app, connection, process, user)
  }

  func received(_ connection: LineConnection, line: [UInt8]) {
    let request: AppRequest
    do throws(AppRequest.Unreadable) { request = try AppRequest(line: line) } catch {
      connection.send(AppAnswer.error(error.fault, to: error.id))
      return
    }
    let local = LocalRequest(request.method.method, request.parameters)
    guard begin(local.id) else { return refuse(request, .tooManyAtOnce) }
    let isQueued = app.workers.submit { [self] in identify(request, local) }
    if !isQueued { end(local.id, AppAnswer.error(.tooManyAtOnce, to: request.id)) }
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

  private func identify(_ request: AppRequest, _ local: LocalRequest) {
    identified { [self] found in
      do throws(AppFault) { carryOut(request, local, try found.get()) } catch {
        end(local.id, AppAnswer.error(error, to: request.id))
      }
    }
  }

  /// Calls back with who it is, at once or when it was read. It is read anew when its file is another one.
  private func identified(_ then: @escaping Asker) {
    let state = ExecutableState(of: process)
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

  private func wasRead(_ state: ExecutableState?, _ found: Result<LocalCaller, AppFault>) {
    let askers = peer.withLock { peer -> [Asker] in
      guard case .beingRead(let askers) = peer else { return [] }
      peer = if case .success(let caller) = found, let state { .known(state, caller) } else { .unknown }
      return askers
    }
    for asker in askers { asker(found) }
  }

  private func carryOut(_ request: AppRequest, _ local: LocalRequest, _ caller: LocalCaller) {
    do throws(AppFault) {
      let identity = try app.callers.identity(request.identity).publicKey
      let pairing = try app.callers.pairing(of: caller, for: identity)
      app.answers.expect(local.id) { [weak self] json in self?.answer(request, local.id, caller, json) }
      guard isOpen else { return _ = app.answers.forget(local.id) }
      guard app.service.take(local, at: pairing.remoteSigner) else {
        _ = app.answers.forget(local.id)
        throw AppFault(.rateLimited, "The signer takes no more requests of this program for now.")
      }
      if !isOpen { app.service.withdraw([local.id]) }
    } catch { end(local.id, AppAnswer.error(error, to: request.id)) }
  }

  private func answer(_ request: AppRequest, _ id: Bytes32, _ caller: LocalCaller, _ json: [UInt8]) {
    end(id, AppAnswer.of(json, to: request) { _ in self.list(caller) })
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

  private func begin(_ id: Bytes32) -> Bool {
    open.withLock { open in
      guard let count = open?.count, count < AppSocket.requestsAtOnce else { return false }
      open?.insert(id)
      return true
    }
  }

  private var isOpen: Bool { open.withLock { $0 != nil } }

  private func end(_ id: Bytes32, _ line: [UInt8]) {
    let isAwaited = open.withLock { $0?.remove(id) != nil }
    if isAwaited { connection.send(line) }
  }
}

extension AppFault {
  fileprivate static let tooManyRead = AppFault(
    .rateLimited, "The signer is finding out about other programs; ask again in a moment.")
  fileprivate static let tooManyAtOnce = AppFault(
    .rateLimited, "At most \(AppSocket.requestsAtOnce) requests of one connection are under way at once.")
}
