import Curve
import Encodings
import JSON
import Nostr
import Platform
import RemoteSigning

/// A name that somebody gives himself in his profile. It proves nothing: anybody can take any name.
struct PersonName: Equatable {
  /// Cleaned and cut.
  let text: String
  /// Whether somebody else uses the same name, as far as is known here.
  var isShared = false
}

/// The names of people in waiting requests, as their profiles on the owner's own relays have them.
///
/// They are looked up while such a request waits, checked, and kept in memory for a while. Addresses in a profile, such as that of a
/// picture, are never opened: their server would learn where the signer is.
final class PeopleNames: Sendable {
  /// The most people that are remembered. While all of them are fresh, no other is looked up.
  static let mostKept = 512
  /// The most people that one search asks for; the next ones wait for the next search.
  static let mostAsked = 32
  /// The largest profile that is read, in bytes of its content.
  static let mostBytes = 64 << 10
  /// The longest name, in bytes of UTF-8.
  static let longestName = 64
  /// How long a name, or that a profile has none, is good for, in seconds.
  static let freshFor: Int64 = 3600
  /// How soon somebody is looked up again of whom no relay had a profile, in seconds.
  static let retriedAfter: Int64 = 300

  private struct Found {
    let name: String?
    let until: Int64
  }

  private struct State {
    var found: [PublicKey: Found] = [:] {
      didSet { uses = Dictionary(found.values.compactMap { $0.name.map { ($0.lowercased(), 1) } }, uniquingKeysWith: +) }
    }
    /// How many people use a name, in small letters.
    var uses: [String: Int] = [:]
    var searching: [PublicKey] = []
  }

  private let state = Locked(State())

  /// The name of a person; nil while none is known.
  /// - Parameter taken: names that are in use here, of other people or of the owner's identities.
  func name(of key: PublicKey, taken: Set<String>, now: Int64) -> PersonName? {
    state.withLock { state in
      guard let found = state.found[key], found.until > now, let name = found.name else { return nil }
      let folded = name.lowercased()
      return PersonName(text: name, isShared: state.uses[folded, default: 0] > 1 || taken.contains(folded))
    }
  }

  /// Begins a search, unless one runs.
  /// - Returns: those who must be looked up; empty for nobody.
  func begin(_ people: Set<PublicKey>, now: Int64) -> [PublicKey] {
    state.withLock { state in
      guard state.searching.isEmpty else { return [] }
      let fresh = state.found.filter { $0.value.until > now }
      if fresh.count < state.found.count { state.found = fresh }
      let free = min(Self.mostAsked, Self.mostKept - state.found.count)
      let unknown = people.filter { state.found[$0] == nil }.sorted { $0.hex < $1.hex }
      state.searching = Array(unknown.prefix(max(0, free)))
      return state.searching
    }
  }

  /// Ends the search that began last, with what relays sent.
  func end(_ events: [Event], now: Int64) {
    let names = Self.names(events, of: Set(state.withLock { $0.searching }), now: now)
    state.change { state in
      let looked = state.searching.map { key in
        (key, Found(name: names[key] ?? nil, until: now + (names[key] == nil ? Self.retriedAfter : Self.freshFor)))
      }
      state.found.merge(looked) { $1 }
      state.searching = []
    }
  }

  /// Forgets everybody.
  func forget() { state.change { $0.found = [:] } }

  /// The names in the newest genuine profiles of these people. Forged profiles and those dated ahead are left out.
  /// - Returns: nil for somebody whose profile has no name.
  static func names(_ events: [Event], of people: Set<PublicKey>, now: Int64) -> [PublicKey: String?] {
    let meant = events.filter {
      $0.kind == EventKind.metadata && people.contains($0.pubkey) && $0.content.utf8.count <= mostBytes
        && !SigningTime.isAhead($0.createdAt, of: now)
    }.sorted { ($1.createdAt, $0.id.hex) < ($0.createdAt, $1.id.hex) }
    var names: [PublicKey: String?] = [:]
    for event in meant where names[event.pubkey] == nil && (try? event.verify()) != nil {
      names[event.pubkey] = .some(name(in: event.content))
    }
    return names
  }

  /// The name in a profile (NIP-01, NIP-24): the short one, or else the one for display.
  static func name(in content: String) -> String? {
    guard let profile = try? JSONValue(parsing: Array(content.utf8)) else { return nil }
    return ["name", "display_name"].lazy.compactMap { profile[$0]?.string }.map(shown).first { !$0.isEmpty }
  }

  private static func shown(_ name: String) -> String {
    let clean = ShownText.clean(name, limit: longestName)
    return clean.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
