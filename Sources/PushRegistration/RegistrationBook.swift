import Curve
import Encodings

/// All registrations, compared with what should be. No I/O and no clock: times are seconds since 1970.
struct RegistrationBook {
  /// Records to store and to remove.
  struct Changes: Equatable {
    var stored: Set<Bytes32> = []
    var removed: Set<Bytes32> = []
    var isEmpty: Bool { stored.isEmpty && removed.isEmpty }
  }

  /// How far apart the first requests of several keys are on average, in seconds, and how long that takes at most.
  static let spacing: Int64 = 5
  static let longestSpread: Int64 = 300

  var plan: PushPlan?
  var entries: [Bytes32: Registration] = [:]

  /// Whether nothing is to be done, now or later.
  var isEmpty: Bool { plan == nil && entries.isEmpty }

  /// Compares what is registered with the keys that apps use.
  /// - Parameters:
  ///   - keys: of all apps that ask over relays.
  ///   - usable: the keys that requests can be signed with: those, and those of apps that ended lately.
  ///   - chance: 0 up to, not including, 1, anew at each call.
  mutating func compare(_ keys: [AppKey], usable: Set<PublicKey>, now: Int64, chance: () -> Double) -> Changes {
    var changes = Changes()
    var wanted: [Bytes32: AppKey] = [:]
    if let plan { for key in keys { wanted[Registration.id(key.signer, plan.proxy, plan.device)] = key } }
    let missing = wanted.filter { entries[$0.key] == nil }
    let spread = entries.isEmpty ? Self.spread(missing.count) : min(Int64(missing.count) * Self.spacing, Self.longestSpread)
    for (id, key) in missing {
      guard let plan else { break }
      entries[id] = Registration(key, at: plan, next: now + Int64(Double(spread) * chance()))
      changes.stored.insert(id)
    }
    for (id, entry) in entries {
      let changed = Self.compared(entry, with: wanted[id], now: now, chance: chance)
      if !changed.isWanted, changed.isSettled || !usable.contains(entry.signer) {
        entries[id] = nil
        changes.removed.insert(id)
      } else if changed != entry {
        entries[id] = changed
        changes.stored.insert(id)
      }
    }
    return changes
  }

  /// Has what failed asked again soon, at times of their own: the owner may have put right what was wrong.
  /// - Parameter chance: 0 up to, not including, 1, anew at each call.
  mutating func askAgain(now: Int64, chance: () -> Double) {
    let failed = entries.filter { $0.value.error != nil }
    let spread = Self.spread(failed.count)
    for id in failed.keys { entries[id]?.askAgain(at: now + Int64(Double(spread) * chance())) }
  }

  /// Over how many seconds so many keys are asked about: keys that are asked about together would belong together.
  private static func spread(_ count: Int) -> Int64 { count == 1 ? 0 : min(Int64(count) * spacing, longestSpread) }

  private static func compared(_ entry: Registration, with key: AppKey?, now: Int64, chance: () -> Double) -> Registration {
    var entry = entry
    // The clock may have been set back.
    entry.next = min(entry.next, now + Registration.renewal)
    guard let key else {
      if entry.isWanted {
        (entry.isWanted, entry.attempts, entry.error) = (false, 0, nil)
        entry.next = now + Int64(Double(Registration.farewell) * chance())
      }
      return entry
    }
    let relays = Array(key.relays.prefix(Registration.mostRelays))
    if !entry.isWanted || entry.relays != relays {
      (entry.isWanted, entry.relays, entry.next) = (true, relays, now)
    }
    return entry
  }

  /// When something is to be asked next; nil for never.
  var nextDue: Int64? { entries.values.map(\.next).min() }

  /// What is to be asked now: of the entries that are due, the one that has waited longest.
  func due(now: Int64) -> (id: Bytes32, step: Registration.Step)? {
    let due = entries.filter { $0.value.next <= now && $0.value.dueStep != nil }
    guard let (id, entry) = due.min(by: { ($0.value.next, $0.key) < ($1.value.next, $1.key) }), let step = entry.dueStep else {
      return nil
    }
    return (id, step)
  }
}
