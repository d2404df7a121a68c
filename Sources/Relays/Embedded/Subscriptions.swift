internal import Nostr
internal import Sockets

/// Who listens for what, by recipient: an event finds its listeners without asking all of them.
struct Subscriptions {
  struct Key: Hashable {
    let socket: ObjectIdentifier
    let name: String
  }

  struct Subscription {
    let socket: WebSocket
    let filters: [Filter]
  }

  private var all: [Key: Subscription] = [:]
  private var byRecipient: [String: Set<Key>] = [:]
  /// Those with a filter that names no recipient.
  private var unaddressed: Set<Key> = []
  private var names: [ObjectIdentifier: Set<String>] = [:]

  var count: Int { all.count }

  func count(of socket: WebSocket) -> Int { names[ObjectIdentifier(socket)]?.count ?? 0 }

  func has(_ name: String, of socket: WebSocket) -> Bool { names[ObjectIdentifier(socket)]?.contains(name) ?? false }

  mutating func set(_ name: String, of socket: WebSocket, filters: [Filter]) {
    remove(name, of: socket)
    let key = Key(socket: ObjectIdentifier(socket), name: name)
    all[key] = Subscription(socket: socket, filters: filters)
    names[key.socket, default: []].insert(name)
    for filter in filters {
      if let recipients = filter.tags["p"] {
        for recipient in recipients { byRecipient[recipient, default: []].insert(key) }
      } else {
        unaddressed.insert(key)
      }
    }
  }

  mutating func remove(_ name: String, of socket: WebSocket) {
    let key = Key(socket: ObjectIdentifier(socket), name: name)
    guard let old = all.removeValue(forKey: key) else { return }
    names[key.socket]?.remove(name)
    if names[key.socket]?.isEmpty ?? false { names[key.socket] = nil }
    unaddressed.remove(key)
    for recipient in old.filters.flatMap({ $0.tags["p"] ?? [] }) {
      byRecipient[recipient]?.remove(key)
      if byRecipient[recipient]?.isEmpty ?? false { byRecipient[recipient] = nil }
    }
  }

  mutating func removeAll(of socket: WebSocket) {
    for name in names[ObjectIdentifier(socket)] ?? [] { remove(name, of: socket) }
  }

  /// The subscriptions that want an event.
  func listeners(for event: Event, recipients: [String]) -> [(name: String, socket: WebSocket)] {
    var keys = unaddressed
    for recipient in recipients { if let more = byRecipient[recipient] { keys.formUnion(more) } }
    return keys.compactMap { key in
      guard let subscription = all[key], subscription.filters.contains(where: { $0.matches(event) }) else { return nil }
      return (key.name, subscription.socket)
    }
  }
}
