import Curve
import Encodings
import Platform
import RemoteSigning
import Signer
import Sockets

/// A process that asks, whichever way it is connected, and its requests that were not answered yet. They run on the workers.
final class AskingProgram: Sendable {
  private let app: AppService
  private let process: PeerProcess
  private let user: UInt32
  /// Its file when it connected. A process that becomes another program afterwards is refused.
  private let first: ExecutableState?
  /// What started Holdfast's own program, as it was when that connected.
  private let browser: HeldStarter?
  private let wasUsed: @Sendable () -> Void
  /// The requests that were not answered yet. Nil once the connection has ended.
  private let open = Locked<[Bytes32: Answerer]?>([:])
  private typealias Asker = @Sendable (Result<CallingProgram, AppFault>) -> Void
  private struct Answerer: Sendable { let answered: @Sendable (AppOutcome) -> Void }
  private enum Peer: Sendable {
    case unknown
    /// These wait until it is known.
    case beingRead([Asker])
    /// As long as its file is as it was.
    case known(ExecutableState, CallingProgram)
  }

  private let peer = Locked(Peer.unknown)
  /// Bytes of its requests that no worker has taken up yet.
  private let queued = Locked(0)

  /// - Parameter wasUsed: called at each request of a program that the owner has let in.
  init(_ app: AppService, _ process: PeerProcess, user: UInt32, wasUsed: @escaping @Sendable () -> Void = {}) {
    (self.app, self.process, self.user, self.wasUsed) = (app, process, user, wasUsed)
    first = ExecutableState(of: process)
    browser = first.flatMap { $0.isTheSigners ? HeldStarter(of: process) : nil }
  }

  /// Takes a request.
  /// - Parameters:
  ///   - bytes: how long it is.
  ///   - answered: called once, from any thread; not after `end`.
  func take(_ request: AppRequest, bytes: Int, answered: @escaping @Sendable (AppOutcome) -> Void) {
    let id = Bytes32.fresh()
    guard begin(id, bytes, answered) else { return answered(.failure(.tooManyAtOnce)) }
    let isQueued = app.workers.submit { [self] in identify(request, id, bytes) }
    if !isQueued {
      underWay(-bytes)
      end(id, .failure(.tooManyAtOnce))
    }
  }

  /// What waits for the owner ends with its connection: nobody would get the answer.
  func end() {
    let ids = open.withLock { open in
      defer { open = nil }
      return open.map { Set($0.keys) } ?? []
    }
    guard !ids.isEmpty else { return }
    app.workers.submitAlways { [app] in app.desk.withdraw(ids) }
  }

  /// The program that started this one, which must be Holdfast's own. From now on that one asks.
  func starter(wasUsed: @escaping @Sendable () -> Void) throws(AppFault) -> AskingProgram {
    guard let first, first.isTheSigners, ExecutableState(of: process) == first else { throw .notOwn }
    guard let starter = ProcessFacts.starter(of: process), ProcessFacts.user(of: starter.id) == user else { throw .noStarter }
    return AskingProgram(app, starter, user: user, wasUsed: wasUsed)
  }

  private func identify(_ request: AppRequest, _ id: Bytes32, _ bytes: Int) {
    identified { [self] found in
      defer { underWay(-bytes) }
      guard isOpen else { return }
      do throws(AppFault) { try carryOut(request, id, try asker(request.behalf, try found.get())) } catch {
        end(id, .failure(error))
      }
    }
  }

  /// Calls back with who it is, at once or when it was read. It is read anew when its file is another one.
  private func identified(_ then: @escaping Asker) {
    let state = ExecutableState(of: process)
    guard let state, state == first else { return then(.failure(.changed)) }
    let (caller, mustRead) = peer.withLock { peer -> (CallingProgram?, Bool) in
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

  private func wasRead(_ state: ExecutableState, _ found: Result<CallingProgram, AppFault>) {
    let askers = peer.withLock { peer -> [Asker] in
      guard case .beingRead(let askers) = peer else { return [] }
      peer = if case .success(let caller) = found { .known(state, caller) } else { .unknown }
      return askers
    }
    for asker in askers { asker(found) }
  }

  /// The program itself, or who it asks for.
  private func asker(_ behalf: Behalf?, _ program: CallingProgram) throws(AppFault) -> LocalCaller {
    guard let behalf else { return .program(program) }
    guard let first, first.isTheSigners else { throw .notOwn }
    if case .site = behalf, browser?.isAsItWas == false { throw .changed }
    guard let caller = behalf.caller(browser: browser?.file ?? HeldStarter.unknown, user: user) else { throw .notOwn }
    // Asked last: while the process lives, no other one has its number.
    guard process.isAlive else { throw .changed }
    return caller
  }

  private func carryOut(_ request: AppRequest, _ id: Bytes32, _ caller: LocalCaller) throws(AppFault) {
    let isKnown = try app.desk.ask(request, id, by: caller) { [weak self] outcome in self?.end(id, outcome) }
    if isKnown { wasUsed() }
    if !isOpen { app.desk.withdraw([id]) }
  }

  private func begin(_ id: Bytes32, _ bytes: Int, _ answered: @escaping @Sendable (AppOutcome) -> Void) -> Bool {
    guard mayBegin(bytes) else { return false }
    let isBegun = open.withLock { open in
      guard let count = open?.count, count < AppSocket.requestsAtOnce else { return false }
      open?[id] = Answerer(answered: answered)
      return true
    }
    if !isBegun { underWay(-bytes) }
    return isBegun
  }

  /// Counts the bytes of requests that no worker has taken up yet, of this program's connection and of all.
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

  private func end(_ id: Bytes32, _ outcome: AppOutcome) {
    let answerer = open.withLock { $0?.removeValue(forKey: id) }
    answerer?.answered(outcome)
  }
}

extension AppFault {
  fileprivate static let noStarter = AppFault(
    .notAllowed, "The signer cannot see which program started this command. A program starts it as its own child, and stays.")
  fileprivate static let changed = AppFault(
    .notAllowed, "The program that connected has ended, or became another one, or its file was replaced. Connect again.")
  fileprivate static let tooManyRead = AppFault(
    .rateLimited, "The signer is finding out about other programs; ask again in a moment.")
  static let tooManyAtOnce = AppFault(
    .rateLimited, "At most \(AppSocket.requestsAtOnce) requests of one connection, and 4 MiB of them, are under way at once.")
}
