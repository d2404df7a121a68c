import Platform

/// How many connections one or several listeners take, and which are closed when there are too many or too much is unfinished.
///
/// An incomplete message takes memory until the rest of it arrives. These bytes are counted for each holder, and for all holders together.
public final class Admission: @unchecked Sendable {  // Sendable: `counts` has a lock, all other state belongs to the loop thread
  /// How much is taken.
  public struct Limits: Sendable, Equatable {
    /// Connections at once.
    public var connections = SocketLimits.connections
    /// Connections of one holder at once that are of no use to anybody: further ones push out the oldest.
    public var strangersPerHolder = SocketLimits.strangersPerHolder
    /// Bytes of messages and bodies that are not complete, of all connections together.
    public var unfinishedBytes = SocketLimits.unfinishedBytes
    /// The same of one holder.
    public var unfinishedBytesPerHolder = SocketLimits.unfinishedBytesPerHolder

    /// The usual limits.
    public init() {}
  }

  /// What came of it since the start.
  public struct Counts: Sendable, Equatable {
    /// Connections that are open.
    public var open = 0
    /// Connections that were closed to make room for others.
    public var pushedOut = 0
    /// Connections that found no room, and nobody to take it from.
    public var turnedAway = 0
    /// Connections that were closed because too much was unfinished.
    public var unfinished = 0
    /// When one of these last happened, in milliseconds of the monotonic clock; nil for never.
    public var lastShortage: Int64?

    /// Nothing happened yet.
    public init() {}
  }

  /// Why a connection is closed.
  enum Cause {
    case room, unfinished
  }

  /// Bytes of one holder.
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

  /// Nobody is here yet.
  public init(_ limits: Limits = Limits()) { self.limits = limits }

  /// From any thread.
  public var counts: Counts { tally.withLock { $0 } }

  /// How many connections there can be, whatever the limit says: descriptors for files, and for relays outside, stay free.
  public var mostConnections: Int {
    min(limits.connections, max(Self.fewest, EventLoop.descriptorLimit - SocketLimits.reservedDescriptors))
  }

  private static let fewest = 32
}

// MARK: - The loop thread

extension Admission {
  /// Lets a connection in, if need be in the place of another.
  /// - Returns: who it is; nil when there is no room.
  func admit(_ descriptor: Int32, _ peer: Peer, _ loop: EventLoop) -> Holder? {
    let holder = lookup.holder(of: descriptor, peer)
    let most = Places<ObjectIdentifier>.Limits(places: mostConnections, strangersPerHolder: limits.strangersPerHolder)
    let room = places.room(for: holder, most, now: Clock.monotonicMicroseconds / 1_000) { loop.sessions[$0]?.use ?? .none }
    switch room {
    case .free: break
    case .instead(let id): if let session = loop.sessions[id] { close(session, .room) }
    case .none:
      note { $0.turnedAway += 1 }
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

  /// It turned out who is behind the proxy.
  func move(_ session: Session, to holder: Holder) {
    guard session.holder != holder else { return }
    places.move(ObjectIdentifier(session), to: holder)
    let unfinished = session.unfinishedBytes
    part(session)
    session.holder = holder
    join(session)
    _ = count(unfinished, of: session)
  }

  /// Notes how much a connection sent of what is not complete.
  /// - Returns: false when it is this connection that has to end.
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

  /// Ends the connection whose unfinished message takes most: a stranger's before one that is of use, and of the holder with most.
  /// One that has no more than its fair share is left.
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
    // Not here, in another connection's callback.
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
