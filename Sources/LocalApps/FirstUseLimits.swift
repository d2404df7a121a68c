import RemoteSigning

/// How often callers that were not let in may ask. Pages make up names and open links without end, and each question nags the owner and
/// goes into the log.
struct FirstUseLimits {
  /// How often one group of callers may ask in an hour.
  static let asksOfGroup = 120
  /// How often links may ask in an hour, all together: a page can name any place for the answers.
  static let asksOfLinks = 60
  /// The most groups of programs, and of sites, that are counted each for itself in an hour. Further ones share one count.
  static let mostGroups = 512

  private struct Beginning {
    let digest: Int
    var count = 0
  }

  private var hour = Int64.min
  private var programs: [AskerGroup?: HourlyLimit] = [:]
  private var sites: [AskerGroup?: HourlyLimit] = [:]
  private var links = HourlyLimit()
  /// What callers ask right now, before it waits.
  private var beginning: [LocalCaller: Beginning] = [:]

  /// Counts a request. Call `end` when it waits, or was refused otherwise.
  /// - Parameter place: whether its caller can ask now. While a question of it waits, or begins to, only the very same one may join that.
  ///   Nil for a caller that the owner is not asked about.
  /// - Returns: false when it is to be refused, whatever it names.
  mutating func begin(_ request: AppRequest, of caller: LocalCaller, _ place: FirstUsePlace?, now: Int64) -> Bool {
    switch place {
    // Not counted: it costs nothing, and callers made up without end would fill the counts.
    case .full: return false
    case .taken(let waiting): guard request.asksTheSame(as: waiting) else { return false }
    case .free, nil: break
    }
    guard isWithin(caller, now: now) else { return false }
    if place == nil { return true }
    guard beginning[caller, default: Beginning(digest: request.digest)].digest == request.digest else { return false }
    beginning[caller, default: Beginning(digest: request.digest)].count += 1
    return true
  }

  mutating func end(_ caller: LocalCaller) {
    guard var own = beginning[caller] else { return }
    own.count -= 1
    beginning[caller] = own.count > 0 ? own : nil
  }

  private mutating func isWithin(_ caller: LocalCaller, now: Int64) -> Bool {
    // Whole hours, as `HourlyLimit` counts them: a count of this hour is never dropped.
    if now / 3600 != hour { (hour, programs, sites) = (now / 3600, [:], [:]) }
    switch caller {
    // Not among the groups: a page can make up so many places that no other group would be counted.
    case .link: return links.take(Self.asksOfLinks, now: now)
    case .program: return Self.take(caller.group, of: &programs, now: now)
    case .site: return Self.take(caller.group, of: &sites, now: now)
    }
  }

  private static func take(_ group: AskerGroup, of groups: inout [AskerGroup?: HourlyLimit], now: Int64) -> Bool {
    let counted = groups[group] != nil || groups.count < mostGroups ? group : nil
    return groups[counted, default: HourlyLimit()].take(asksOfGroup, now: now)
  }
}
