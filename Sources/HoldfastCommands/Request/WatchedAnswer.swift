import Encodings
import OwnerAPI
import TerminalUI

/// What a person types below the requests that 'request watch' shows: `a 2`, `d`, `a 2 1h`, `2`, `?` or `q`.
enum WatchedAnswer: Equatable {
  /// Approve, deny or show. Without a number, the only request that waits is meant. With a time, the answer also applies to similar requests
  /// for so long.
  case approve(Int?, for: Duration? = nil)
  case deny(Int?, for: Duration? = nil)
  case show(Int)
  case help
  case quit

  /// - Returns: nil for anything else.
  init?(typed: String) {
    var words = typed.lowercased()
    var duration: Duration?
    if let space = words.lastIndex(of: " "), let named = Duration(rawValue: String(words[words.index(after: space)...])) {
      (words, duration) = (String(words[..<space]), named)
    }
    let number = words.drop { !$0.isNumber }
    let verb = words.dropLast(number.count).filter { $0 != " " }
    let meant = TimeSpan.digits(number.utf8).flatMap { Int(exactly: $0) }
    guard number.isEmpty || meant != nil else { return nil }
    switch verb {
    case "a", "approve": self = .approve(meant, for: duration)
    case "d", "deny": self = .deny(meant, for: duration)
    case _ where duration != nil: return nil
    case "" where meant != nil: self = .show(meant ?? 0)
    case "?", "h", "help": self = .help
    case "q", "quit": self = .quit
    default: return nil
    }
  }
}

/// The requests that are shown, with their numbers. A number is never given twice, so that an answer never means a request that came later.
struct WatchedRequests {
  private(set) var waiting: [(number: Int, id: String, title: String, isLocked: Bool)] = []
  private var last = 0
  /// What was said of each in full, by their ids.
  private var read: [String: [String]] = [:]
  private var lastRead: String?
  /// How long after a change somebody may still mean what was shown before, in milliseconds.
  static let timeToRead: Int64 = 700
  private var settled = Int64.min

  /// Numbers a request that began to wait.
  /// - Parameters:
  ///   - title: what it is, for people; safe to show.
  ///   - isLocked: whether it cannot be approved while the signer is locked.
  mutating func add(_ id: String, _ title: String = "", isLocked: Bool = false) -> Int {
    if let known = waiting.first(where: { $0.id == id }) { return known.number }
    last += 1
    waiting.append((last, id, title, isLocked))
    return last
  }

  /// Whether none of those that wait can be approved while the signer is locked.
  var areLocked: Bool { !waiting.isEmpty && waiting.allSatisfy(\.isLocked) }

  /// To be called when everything that a request says was shown.
  /// - Parameter explanation: what the signer said of it.
  mutating func noteRead(_ id: String, _ explanation: [String]) { (read[id], lastRead) = (explanation, id) }

  /// Where an answer to a request is typed. Only the one that was shown last surely stands above it still.
  func place(of id: String) -> AnswerPlace {
    guard let number = waiting.first(where: { $0.id == id })?.number else { return .command }
    return .watched(number: number, read: id == lastRead ? read[id] : nil)
  }

  /// - Returns: the number that it had.
  mutating func remove(_ id: String) -> Int? {
    read[id] = nil
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: place).number
  }

  /// To be called after requests began or ended to wait.
  /// - Parameters:
  ///   - ofShown: whether a request was shown before, so that an answer without a number may be meant for that one.
  ///   - now: in milliseconds.
  mutating func noteChange(ofShown: Bool, at now: Int64) {
    if ofShown || haveJustChanged(at: now) { settled = now + Self.timeToRead }
  }

  /// Whether an answer without a number may be meant for a request that was shown before.
  func haveJustChanged(at now: Int64) -> Bool { now < settled }

  /// The request that is meant; nil if none has that number, or if none was named and not exactly one waits.
  func id(of number: Int?) -> String? {
    guard let number else { return waiting.count == 1 ? waiting[0].id : nil }
    return waiting.first { $0.number == number }?.id
  }
}
