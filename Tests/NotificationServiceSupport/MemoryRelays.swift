public import Nostr
public import NotificationServiceCore
import Platform
public import RemoteSigning

/// Relays that are lists in memory. They answer on the thread that asks, by NIP-01 and NIP-42, with the faults that they are told to have.
public final class MemoryRelays: NotificationTransport {
  /// What a relay does besides what it should.
  public struct Faults: Sendable {
    /// No connection to it can be made.
    public var isUnreachable = false
    /// It opens, and says nothing.
    public var isSilent = false
    /// It never says that a list is over.
    public var endsNoList = false
    /// It sends each event twice.
    public var sendsTwice = false
    /// Texts that it sends before each list.
    public var noise: [String] = []
    /// Events that it sends in each list, whatever was asked.
    public var uninvited: [Event] = []
    /// Why it closes each subscription.
    public var closes: String?
    /// Why it takes no event.
    public var refuses: String?
    /// It neither lists nor takes anything without a login.
    public var wantsLogin = false

    /// None.
    public init() {}
  }

  private struct State {
    var faults: [RelayURL: Faults] = [:]
    var stored: [RelayURL: [Event]] = [:]
    var published: [(relay: RelayURL, event: Event)] = []
    var connected: [RelayURL] = []
    var asked: [Filter] = []
  }

  private let state = Locked(State())
  private let now: Int64

  /// - Parameter now: of the relays' clocks, seconds since 1970.
  public init(now: Int64) { self.now = now }

  /// Changes what a relay does wrong.
  public func set(_ relay: RelayURL, _ change: (inout Faults) -> Void) {
    state.withLock { change(&$0.faults[relay, default: Faults()]) }
  }

  /// Stores an event, as an app does that asks.
  public func store(_ event: Event, at relay: RelayURL) { state.withLock { $0.stored[relay, default: []].append(event) } }

  /// What the signer published, in order.
  public var published: [(relay: RelayURL, event: Event)] { state.withLock { $0.published } }
  /// The relays that the signer connected to, in order.
  public var connected: [RelayURL] { state.withLock { $0.connected } }
  /// The filters that the signer sent, in order.
  public var asked: [Filter] { state.withLock { $0.asked } }

  /// Opens a connection at once.
  public func connect(to relay: RelayURL, telling events: RelayEvents) -> any RelayLink {
    let faults = state.withLock { state in
      state.connected.append(relay)
      return state.faults[relay] ?? Faults()
    }
    let link = Link(self, relay, events, faults)
    if faults.isUnreachable { events.ended() } else { events.opened() }
    if faults.wantsLogin { events.received(RelayMessage.auth(challenge: Link.challenge)) }
    return link
  }

  fileprivate func list(_ filters: [Filter], at relay: RelayURL) -> [Event] {
    state.withLock { state in
      state.asked += filters
      return (state.stored[relay] ?? []).filter { event in filters.contains { $0.matches(event) } }
    }
  }

  fileprivate func take(_ event: Event, at relay: RelayURL) { state.withLock { $0.published.append((relay, event)) } }

  /// One connection.
  private final class Link: RelayLink {
    static let challenge = "a challenge"
    private let relays: MemoryRelays
    private let relay: RelayURL
    private let events: RelayEvents
    private let faults: Faults
    private let isLoggedIn = Locked(false)

    init(_ relays: MemoryRelays, _ relay: RelayURL, _ events: RelayEvents, _ faults: Faults) {
      (self.relays, self.relay, self.events, self.faults) = (relays, relay, events, faults)
    }

    func close() {}

    func send(_ text: String) {
      guard !faults.isSilent, let message = try? ClientMessage(parsing: Array(text.utf8)) else { return }
      switch message {
      case .request(let name, let filters): list(name, filters)
      case .event(let event): publish(event)
      case .auth(let event): logIn(event)
      case .close: break
      }
    }

    private var needsLogin: Bool { faults.wantsLogin && !isLoggedIn.withLock { $0 } }

    private func list(_ name: String, _ filters: [Filter]) {
      if let reason = needsLogin ? "auth-required: log in" : faults.closes {
        return events.received(.closed(subscription: name, message: reason))
      }
      for text in faults.noise { events.received(text) }
      for event in faults.uninvited + relays.list(filters, at: relay) {
        for _ in 0..<(faults.sendsTwice ? 2 : 1) { events.received(.event(subscription: name, event)) }
      }
      if !faults.endsNoList { events.received(.endOfStored(subscription: name)) }
    }

    private func publish(_ event: Event) {
      if let reason = needsLogin ? "auth-required: log in" : faults.refuses {
        return events.received(.ok(id: event.id, accepted: false, message: reason))
      }
      relays.take(event, at: relay)
      events.received(.ok(id: event.id, accepted: true, message: ""))
    }

    private func logIn(_ event: Event) {
      let isRight = (try? NIP42.check(event, relays: [relay.text], challenge: Self.challenge, now: relays.now)) != nil
      isLoggedIn.withLock { $0 = isRight }
      events.received(.ok(id: event.id, accepted: isRight, message: ""))
    }
  }
}

extension RelayEvents {
  fileprivate func received(_ message: RelayMessage) { received(String(decoding: message.json(), as: UTF8.self)) }
}
