import Encodings

/// The ids of verified requests, for as long as a request can pass: two generations, of which the older is forgotten as a whole.
struct SeenRequests {
  /// The most ids of one generation, about 10 MB.
  static let mostInGeneration = 100_000

  private let most: Int
  private var current: Set<Bytes32> = []
  private var previous: Set<Bytes32> = []
  private var began: Int64?

  init(most: Int = mostInGeneration) { self.most = most }

  func contains(_ id: Bytes32) -> Bool { current.contains(id) || previous.contains(id) }

  /// - Parameter now: seconds of a clock that never goes back.
  /// - Returns: false when it is already known.
  mutating func insert(_ id: Bytes32, now: Int64) -> Bool {
    let start = began ?? now
    began = start
    if now - start >= RequestScreen.oldest + RequestScreen.farthestAhead || current.count >= most {
      (previous, current, began) = (current, [], now)
    }
    guard !contains(id) else { return false }
    return current.insert(id).inserted
  }
}
