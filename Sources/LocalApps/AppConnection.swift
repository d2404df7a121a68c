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
    let isQueued = app.workers.submit { [self] in carryOut(request, local) }
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

  private func carryOut(_ request: AppRequest, _ local: LocalRequest) {
    do throws(AppFault) {
      let identity = try app.callers.identity(request.identity).publicKey
      let caller = try app.reader.caller(process, user: user)
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
  fileprivate static let tooManyAtOnce = AppFault(
    .rateLimited, "At most \(AppSocket.requestsAtOnce) requests of one connection are under way at once.")
}
