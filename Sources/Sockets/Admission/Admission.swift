import Platform

/// Limits how many connections one or several listeners accept, and chooses which to close when a limit is reached.
///
/// An incomplete message uses memory until the rest arrives. These bytes are counted for each holder and for all holders
/// together.
public final class Admission: @unchecked Sendable {  // Sendable: `counts` has a lock, all other state belongs to the loop thread
  /// The limits.
  public struct Limits: Sendable, Equatable {
    /// Connections at once.
    public var connections = SocketLimits.connections
    /// Connections of one holder that are not useful (see `isOfUse`). A further one closes the oldest.
    public var strangersPerHolder = SocketLimits.strangersPerHolder
    /// Bytes of incomplete messages and bodies, of all connections together.
    public var unfinishedBytes = SocketLimits.unfinishedBytes
    /// Bytes of incomplete messages and bodies, of one holder.
    public var unfinishedBytesPerHolder = SocketLimits.unfinishedBytesPerHolder

    /// The default limits.
    public init() {}
  }

  /// Counts since the start.
  public struct Counts: Sendable, Equatable {
    /// Connections that are open.
    public var open = 0
    /// Connections that were closed to make room for others.
    public var pushedOut = 0
    /// Connections that were refused because no other one could be closed for them.
    public var refused = 0
    /// Connections that were closed because too many bytes were incomplete.
    public var unfinished = 0
    /// When one of these last happened, in milliseconds of the monotonic clock. Nil if never.
    public var lastShortage: Int64?

    /// All counts are zero.
    public init() {}
  }

  /// Why a connection is closed.
  enum Cause {
    case room, unfinished
  }

  /// Incomplete bytes of one holder.
  final class Share {
    let holder: Holder
    var connections = 0
    var bytes = 0
    init(_ holder: Holder) { self.holder = holder }
  }

  /// The limits in force.
  public let limits: Limits
  private let tally = Locked(Counts())

  // From here on: the loop thread only.
  private let places = Places<ObjectIdentifier>()
  private let lookup = HolderLookup()
  private var shares: [Holder: Share] = [:]
  private var bytes = 0

  /// No connections yet.
  public init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Callable from any thread.
  public var counts: Counts { tally.withLock { $0 } }

  /// The most connections, whatever the limit says. The rest of the descriptors stay free for files and outside relays.
  public var mostConnections: Int {
    min(limits.connections, max(Self.fewest, EventLoop.descriptorLimit - SocketLimits.reservedDescriptors))
  }

  private static let fewest = 32
}

// MARK: - The loop thread

extension Admission {
  /// Admits a connection. If necessary, closes another one for it.
  /// - Returns: the holder; nil when the connection must be refused.
  func admit(_ descriptor: Int32, _ peer: Peer, _ loop: EventLoop) -> Holder? {
    let holder = lookup.holder(of: descriptor, peer)
    let most = Places<ObjectIdentifier>.Limits(places: mostConnections, strangersPerHolder: limits.strangersPerHolder)
    let room = places.room(for: holder, most, now: Clock.monotonicMicroseconds / 1_000) { loop.sessions[$0]?.use ?? .none }
    switch room {
    case .free: break
    case .instead(let id): if let session = loop.sessions[id] { close(session, .room) }
    case .none:
      note { $0.refused += 1 }
      return nil
    }
    return holder
  }

  func entered(_ session: Session) {
    places.enter(ObjectIdentifier(session), session.holder)
    join(session)
    tally.withLock { $0.open += 1 }
  }

  func left(_ session: Session) {
    guard places.has(ObjectIdentifier(session)) else { return }
    places.leave(ObjectIdentifier(session))
    part(session)
    tally.withLock { $0.open -= 1 }
  }

  /// Counts a connection for its real holder, after a proxy has reported who that is.
  func move(_ session: Session, to holder: Holder) {
    guard session.holder != holder else { return }
    places.move(ObjectIdentifier(session), to: holder)
    let unfinished = session.unfinishedBytes
    part(session)
    session.holder = holder
    join(session)
    _ = count(unfinished, of: session)
  }

  /// Notes how many incomplete bytes a connection holds.
  /// - Returns: false when this connection must be closed.
  func count(_ unfinished: Int, of session: Session) -> Bool {
    guard let share = session.share, !session.isPushedOut || unfinished == 0 else { return true }
    let more = unfinished - session.unfinishedBytes
    session.unfinishedBytes = unfinished
    share.bytes += more
    bytes += more
    guard more > 0 else { return true }
    if share.bytes > limits.unfinishedBytesPerHolder, !relieve(by: session, of: share) { return false }
    return bytes <= limits.unfinishedBytes || relieve(by: session, of: nil)
  }

  /// Closes the connection with the most incomplete bytes. Unknown connections go before useful ones, and those of the holder
  /// with the most bytes go first. A connection within its fair share is never closed.
  private func relieve(by session: Session, of share: Share?) -> Bool {
    let all = session.loop.sessions.values.filter { other in
      guard let own = other.share, other.admission === self else { return false }
      return other.unfinishedBytes > SocketLimits.fairUnfinishedBytes && (share == nil || own === share)
    }
    let worst = all.map { (session: $0, weight: weight(of: $0)) }.max { $0.weight < $1.weight }
    guard let worst = worst?.session else { return true }
    if worst === session {
      _ = count(0, of: session)
      note { $0.unfinished += 1 }
      return false
    }
    close(worst, .unfinished)
    return true
  }

  private func weight(of session: Session) -> (Int, Int, Int) {
    (session.use == .lasting ? 0 : 1, session.share?.bytes ?? 0, session.unfinishedBytes)
  }

  private func close(_ session: Session, _ cause: Cause) {
    places.dismiss(ObjectIdentifier(session))
    _ = count(0, of: session)
    session.isPushedOut = true
    note { counts in
      switch cause {
      case .room: counts.pushedOut += 1
      case .unfinished: counts.unfinished += 1
      }
    }
    // Close it later: this runs in a callback of another connection.
    session.loop.post { [weak session] in session?.pushOut(cause) }
  }

  private func join(_ session: Session) {
    let share = shares[session.holder] ?? Share(session.holder)
    share.connections += 1
    shares[session.holder] = share
    session.share = share
  }

  private func part(_ session: Session) {
    _ = count(0, of: session)
    guard let share = session.share else { return }
    session.share = nil
    share.connections -= 1
    if share.connections == 0 { shares[share.holder] = nil }
  }

  private func note(_ change: (inout Counts) -> Void) {
    tally.withLock { counts in
      change(&counts)
      counts.lastShortage = Clock.monotonicMicroseconds / 1_000
    }
  }
}
