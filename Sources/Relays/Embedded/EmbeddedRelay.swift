internal import Encodings
internal import JSON
internal import Locks
public import Nostr
public import Sockets

/// A private signing relay inside the signer: events of kind 24133 and nothing else, kept ten minutes (NIP-01, NIP-11).
///
/// What comes is verified on the owner's workers, kept, passed to those who subscribed, and handed to the signer without a
/// socket between.
public final class EmbeddedRelay: Sendable {
  /// What the owner of the relay brings.
  public struct Hooks: Sendable {
    /// Runs a job on a worker; false when there are too many.
    public var work: @Sendable (@escaping @Sendable () -> Void) -> Bool
    /// Hears every event that was taken; id and signature are checked. Called on a worker.
    public var deliver: @Sendable (Event) -> Void
    /// Seconds since 1970.
    public var now: @Sendable () -> Int64

    /// All hooks.
    public init(
      work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool, deliver: @escaping @Sendable (Event) -> Void,
      now: @escaping @Sendable () -> Int64
    ) { (self.work, self.deliver, self.now) = (work, deliver, now) }
  }

  struct State {
    var kept: KeptEvents
    var subscriptions = Subscriptions()
    var connections = 0
  }

  /// The limits in force.
  public let limits: RelayLimits
  let hooks: Hooks
  let state: Locked<State>
  private let isTaking = Locked(true)

  /// A relay with nothing in it.
  public init(limits: RelayLimits = RelayLimits(), hooks: Hooks) {
    (self.limits, self.hooks) = (limits, hooks)
    state = Locked(State(kept: KeptEvents(limits)))
  }

  /// What to do with a WebSocket handshake on the relay's path.
  public func upgrade() -> Service.Upgrade {
    let mayEnter = state.withLock { state in
      guard state.connections < limits.connections else { return false }
      state.connections += 1
      return true
    }
    guard mayEnter else { return .refuse(HTTPResponse(status: 503, text: "This relay has all the connections it takes.")) }
    return .accept(
      RelayClient(self), WebSocketOptions(messageBytes: limits.messageBytes, sendQueueBytes: limits.sendQueueBytes))
  }

  /// Passes an answer of the signer to those who subscribed, and keeps it.
  /// - Returns: true: this relay always takes what its signer sends.
  @discardableResult
  public func publish(_ event: Event) -> Bool {
    accept(event)
    return true
  }

  /// From now on events are refused; subscriptions go on, so that answers under way still arrive.
  public func stopTaking() { isTaking.withLock { $0 = false } }

  var takesEvents: Bool { isTaking.withLock { $0 } }

  /// Connections and subscriptions now, and events kept.
  public var counts: (connections: Int, subscriptions: Int, kept: Int) {
    state.withLock { ($0.connections, $0.subscriptions.count, $0.kept.count) }
  }

  /// Keeps an event and fans it out; its JSON is written once.
  /// - Returns: false when it was kept before.
  @discardableResult
  func accept(_ event: Event) -> Bool {
    let json = event.json()
    let recipients = event.tagValues("p")
    let listeners = state.withLock { state -> [(name: String, socket: WebSocket)]? in
      guard !state.kept.contains(event.id) else { return nil }
      state.kept.insert(.init(event: event, recipients: recipients, json: json, arrivedAt: hooks.now()))
      return state.subscriptions.listeners(for: event, recipients: recipients)
    }
    guard let listeners else { return false }
    for (name, socket) in listeners { socket.send(Self.eventMessage(name, json)) }
    return true
  }

  static func eventMessage(_ name: String, _ json: [UInt8]) -> [UInt8] {
    var writer = JSONWriter(reserving: json.count + name.utf8.count + 16)
    writer.beginArray()
    writer.string("EVENT")
    writer.string(name)
    json.withUnsafeBytes { writer.raw($0) }
    writer.endArray()
    return writer.bytes
  }
}
