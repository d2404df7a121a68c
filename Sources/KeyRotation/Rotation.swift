package import Curve
import JSON
package import Nostr
package import Sockets

/// The rotation from one key to another: all its signed events, and which relays have them. Once this is stored, the old key is
/// no longer needed, and the rotation can be continued after any interruption.
package struct Rotation: Sendable, Equatable {
  /// The parts that are published, in this order.
  package enum What: String, Sendable, CaseIterable {
    case statement, acceptance, profile, follows
    case relayList = "relays"
    case inbox = "message-relays"
    case note

    /// The part that is copied from the old key's event of that kind.
    package var copied: Int? {
      switch self {
      case .profile: EventKind.metadata
      case .follows: EventKind.follows
      case .relayList: EventKind.relayList
      case .inbox: 10050
      case .statement, .acceptance, .note: nil
      }
    }
  }

  /// A relay's answer to an event.
  package struct Answer: Sendable, Equatable {
    package var relay: String
    package var isTaken: Bool
    /// Printable ASCII: the relay's text if it refused.
    package var text: String
  }

  /// One event and the relays' answers.
  package struct Part: Sendable, Equatable {
    package let what: What
    package let event: Event
    /// The last answer of each relay.
    package var answers: [Answer] = []

    var isTaken: Bool { answers.contains(where: \.isTaken) }
    func isTaken(by relay: String) -> Bool { answers.contains { $0.relay == relay && $0.isTaken } }
  }

  package let old: PublicKey
  package let new: PublicKey
  package let reason: Succession.Reason
  /// Seconds since 1970.
  package let startedAt: Int64
  /// The relays to which it is published.
  package var relays: [String]
  /// Those of them that the owner named. They may be inside the owner's network.
  package var named: [String]
  package var parts: [Part]

  /// Whether at least one relay has accepted each event.
  package var isDone: Bool { parts.allSatisfy(\.isTaken) }

  /// The parts of the old key that were not found, so that nothing was copied.
  package var missing: [What] { What.allCases.filter { what in what.copied != nil && !parts.contains { $0.what == what } } }

  /// Records a relay's answer.
  mutating func note(_ answer: Answer, to event: Event) {
    guard let index = parts.firstIndex(where: { $0.event.id == event.id }) else { return }
    // An event that a relay has accepted stays there, even if the relay does not answer the next time.
    if parts[index].isTaken(by: answer.relay) { return }
    parts[index].answers.removeAll { $0.relay == answer.relay }
    parts[index].answers.append(answer)
  }

  /// Adds relays that the owner names now, up to the limit.
  package mutating func add(_ further: [WebSocketURL]) {
    for relay in further {
      if !relays.contains(where: { (try? WebSocketURL(parsing: $0)) == relay }) {
        guard relays.count < RotationDraft.mostRelays else { continue }
        relays.append(relay.text)
      }
      if !named.contains(relay.text) { named.append(relay.text) }
    }
  }

  /// The events that a relay has not accepted yet.
  package func open(at relay: String) -> [Event] { parts.filter { !$0.isTaken(by: relay) }.map(\.event) }
}

// The value of a record of kind rotation (its id is the old key), for docs/FORMATS.md: JSON in UTF-8.
extension Rotation {
  private static let version: Int64 = 1

  var record: [UInt8] {
    JSONValue.object([
      .init("version", .integer(Self.version)), .init("from", .string(old.hex)), .init("to", .string(new.hex)),
      .init("reason", .string(reason.rawValue)), .init("started", .integer(startedAt)),
      .init("relays", .array(relays.map { .string($0) })),
      .init("named", .array(named.map { .string($0) })), .init("parts", .array(parts.map(\.record))),
    ]).serialized()
  }

  /// - Returns: nil for anything that `record` does not write.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), value["version"]?.integer == Self.version,
      let old = value["from"]?.string.flatMap({ PublicKey(hex: $0) }),
      let new = value["to"]?.string.flatMap({ PublicKey(hex: $0) }),
      let reason = value["reason"]?.string.flatMap(Succession.Reason.init), let startedAt = value["started"]?.integer,
      let relays = value["relays"]?.array?.compactMap(\.string), let parts = value["parts"]?.array
    else { return nil }
    let read = parts.compactMap(Part.init)
    guard read.count == parts.count else { return nil }
    // Earlier versions did not store which relays were named.
    let named = value["named"]?.array?.compactMap(\.string) ?? relays
    self.init(old: old, new: new, reason: reason, startedAt: startedAt, relays: relays, named: named, parts: read)
  }
}

extension Rotation.Part {
  // The event is stored as text: parsing a follow list of ten thousand keys as JSON values would be slow.
  fileprivate var record: JSONValue {
    .object([
      .init("what", .string(what.rawValue)), .init("event", .string(String(decoding: event.json(), as: UTF8.self))),
      .init("answers", .array(answers.map { [.string($0.relay), .bool($0.isTaken), .string($0.text)] })),
    ])
  }

  fileprivate init?(_ value: JSONValue) {
    guard let what = value["what"]?.string.flatMap(Rotation.What.init), let text = value["event"]?.string,
      let event = try? Event(parsing: Array(text.utf8)), let answers = value["answers"]?.array
    else { return nil }
    self.init(what: what, event: event)
    for answer in answers {
      guard let relay = answer[0]?.string, let isTaken = answer[1]?.bool, let text = answer[2]?.string else { return nil }
      self.answers.append(.init(relay: relay, isTaken: isTaken, text: text))
    }
  }
}
