import Encodings
import JSON
import Nostr

/// One client's subscription. Its messages all begin with the same bytes, which are encoded once.
final class Subscription: Sendable {
  let name: String
  let client: EmbeddedConnection
  let filters: [Filter]
  /// The number of values in its filters, plus one for itself.
  let weight: Int
  /// The keys its filters name. Nil if one of them names none.
  let recipients: [Bytes32]?
  /// Whether each filter names recipients or events, so that a client only gets what it already knows to ask for.
  let isPointed: Bool
  private let head: [UInt8]
  let matchers: [FilterMatcher]

  init(name: String, client: EmbeddedConnection, filters: [Filter]) {
    self.name = name
    self.client = client
    // A filter without kind 24133 cannot match anything here.
    let live = filters.filter { $0.kinds?.contains(EventKind.remoteSigning) ?? true }
    (self.filters, matchers) = (live, live.map { FilterMatcher($0) })
    weight = live.reduce(1) { $0 + $1.valueCount }
    recipients =
      live.allSatisfy { $0.tags["p"] != nil }
      ? Array(Set(live.flatMap { ($0.tags["p"] ?? []).compactMap { Bytes32(hex: $0) } })) : nil
    isPointed = live.allSatisfy { $0.tags["p"]?.isEmpty == false || $0.ids?.isEmpty == false }
    var writer = JSONWriter(reserving: 96)
    writer.string(name)
    head = Array("[\"EVENT\",".utf8) + writer.bytes + [UInt8(ascii: ",")]
  }

  func wants(_ event: Event) -> Bool { matchers.contains { $0.matches(event) } }

  /// - Parameter json: the event, encoded once for all subscriptions.
  func send(_ json: [UInt8]) {
    var message = [UInt8]()
    message.reserveCapacity(head.count + json.count + 1)
    message += head
    message += json
    message.append(UInt8(ascii: "]"))
    client.send(message)
  }
}

/// All subscriptions, found by the keys they name.
struct Subscriptions {
  /// The subscriptions that name one key.
  private struct Named {
    var byClient: [ObjectIdentifier: [Subscription]] = [:]
    var count = 0
  }

  private var byClient: [ObjectIdentifier: [String: Subscription]] = [:]
  private var byRecipient: [Bytes32: Named] = [:]
  private var open: [ObjectIdentifier: Subscription] = [:]  // those that name no key
  private(set) var count = 0
  private var weights: [ObjectIdentifier: Int] = [:]
  /// Values of all connections beyond their own allowance.
  private var shared = 0
  private let ownValues: Int

  /// - Parameter ownValues: values that each connection may always have.
  init(ownValues: Int) { self.ownValues = ownValues }

  var openCount: Int { open.count }

  func count(of client: EmbeddedConnection) -> Int { byClient[ObjectIdentifier(client)]?.count ?? 0 }

  func contains(_ name: String, of client: EmbeddedConnection) -> Bool { byClient[ObjectIdentifier(client)]?[name] != nil }

  /// Why one more subscription, or a replacement, is refused.
  func refusal(of subscription: Subscription, _ limits: RelayLimits) -> RelayRefusal? {
    let client = ObjectIdentifier(subscription.client)
    let replaced = byClient[client]?[subscription.name]?.weight ?? 0
    let before = weights[client] ?? 0
    let after = before + subscription.weight - replaced
    let sharedAfter = shared - beyondOwn(before) + beyondOwn(after)
    let fits = after <= limits.subscriptionValues && (after <= ownValues || sharedAfter <= limits.allSubscriptionValues)
    return fits ? nil : .tooManyValues
  }

  private func beyondOwn(_ values: Int) -> Int { max(0, values - ownValues) }

  /// The keys that a client's subscriptions name.
  func recipients(of client: EmbeddedConnection) -> [Bytes32] {
    (byClient[ObjectIdentifier(client)] ?? [:]).values.flatMap { $0.recipients ?? [] }
  }

  private mutating func weigh(_ change: Int, _ client: ObjectIdentifier) {
    let before = weights[client] ?? 0
    let sum = before + change
    shared += beyondOwn(sum) - beyondOwn(before)
    weights[client] = sum == 0 ? nil : sum
  }

  mutating func insert(_ subscription: Subscription) {
    remove(subscription.name, of: subscription.client)
    weigh(subscription.weight, ObjectIdentifier(subscription.client))
    byClient[ObjectIdentifier(subscription.client), default: [:]][subscription.name] = subscription
    count += 1
    guard let recipients = subscription.recipients else { return open[ObjectIdentifier(subscription)] = subscription }
    let client = ObjectIdentifier(subscription.client)
    for recipient in recipients {
      byRecipient[recipient, default: Named()].byClient[client, default: []].append(subscription)
      byRecipient[recipient]?.count += 1
    }
  }

  mutating func remove(_ name: String, of client: EmbeddedConnection) {
    let key = ObjectIdentifier(client)
    guard let subscription = byClient[key]?.removeValue(forKey: name) else { return }
    if byClient[key]?.isEmpty == true { byClient[key] = nil }
    count -= 1
    weigh(-subscription.weight, key)
    guard let recipients = subscription.recipients else { return open[ObjectIdentifier(subscription)] = nil }
    for recipient in recipients {
      byRecipient[recipient]?.byClient[key]?.removeAll { $0 === subscription }
      byRecipient[recipient]?.count -= 1
      if byRecipient[recipient]?.byClient[key]?.isEmpty == true { byRecipient[recipient]?.byClient[key] = nil }
      if byRecipient[recipient]?.count == 0 { byRecipient[recipient] = nil }
    }
  }

  mutating func removeAll(of client: EmbeddedConnection) {
    for name in (byClient[ObjectIdentifier(client)] ?? [:]).keys { remove(name, of: client) }
  }

  /// The number of subscriptions that name one of these keys. One that names two of them counts twice.
  func count(naming recipients: [Bytes32]) -> Int { recipients.reduce(0) { $0 + (byRecipient[$1]?.count ?? 0) } }

  /// The subscriptions that name one of these keys, or no key, each once. Call `wants` to check whether they match an event. Do
  /// so without a lock, since anybody may have thousands of subscriptions for one key.
  /// - Parameter clients: only those of these clients; nil for all.
  func naming(_ recipients: [Bytes32], of clients: Set<ObjectIdentifier>? = nil) -> [Subscription] {
    var found = open.values.filter { clients?.contains(ObjectIdentifier($0.client)) ?? true }
    var known: Set<ObjectIdentifier> = []
    for named in recipients.compactMap({ byRecipient[$0]?.byClient }) {
      for list in clients?.compactMap({ named[$0] }) ?? Array(named.values) {
        found += recipients.count == 1 ? list : list.filter { known.insert(ObjectIdentifier($0)).inserted }
      }
    }
    return found
  }

  /// The clients whose subscriptions name a key.
  func clients(naming recipient: Bytes32) -> some Sequence<ObjectIdentifier> { (byRecipient[recipient]?.byClient ?? [:]).keys }
}

extension Filter {
  /// The number of values in its lists, plus one for itself. A long text counts as several.
  var valueCount: Int {
    let room = RelayLimits.valueBytes
    let texts = tags.values.joined().reduce(0) { $0 + max(1, ($1.utf8.count + room - 1) / room) }
    return 1 + (ids?.count ?? 0) + (authors?.count ?? 0) + (kinds?.count ?? 0) + texts
  }
}
