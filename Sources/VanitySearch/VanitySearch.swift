public import Curve
import Platform
import SecretMemory

/// Looks for a secret key whose public key has a pattern, on several threads, until one is found or it is stopped.
///
/// Each thread starts from a fresh random key of its own, which is wiped with it. A search gives one key and no more: two found by
/// one thread would differ by a small number, and somebody who knows the first could find the second.
public final class VanitySearch: Sendable {
  /// How a search ended.
  public enum Failure: Error, Sendable, Equatable { case outOfMemory, noThreads }

  private struct State {
    var tried: UInt64 = 0
    var found: Finding?
    var failure: Failure?
    var isOver = false
  }

  /// Boxed, since a lock's value is copied.
  private final class Finding: Sendable {
    let key: SecretKey
    init(_ key: consuming SecretKey) { self.key = key }
  }

  /// How many points a batch covers on either side of its centre. More make an inversion cheaper by less than two in a hundred, and no
  /// longer fit the processor's second cache beside other work.
  static let reach = 512

  private let pattern: VanityPattern
  private let state = Locked(State())
  private let threads: Locked<[SystemThread]>

  /// Starts at once.
  /// - Parameter threads: 1 or more; one for each core serves best.
  public init(for pattern: VanityPattern, threads count: Int) throws(Failure) {
    self.pattern = pattern
    let multiples: Multiples
    do { multiples = try Multiples(reach: Self.reach) } catch { throw .outOfMemory }
    let state = state
    let started = (0..<max(1, count)).compactMap { _ in SystemThread.start { Self.work(pattern, multiples, state) } }
    threads = Locked(started)
    if started.isEmpty { throw .noThreads }
  }

  deinit { stop() }

  /// Keys tried so far.
  public var tried: UInt64 { state.withLock { $0.tried } }

  /// Waits until the search is over, but not for longer than so many milliseconds.
  /// - Returns: whether it is over.
  /// - Throws: when it ended without a key, and was not stopped.
  public func wait(milliseconds: Int) throws(Failure) -> Bool {
    let ended = state.wait(milliseconds: milliseconds) { state -> State? in state.isOver ? state : nil }
    guard let ended else { return false }
    if ended.found == nil, let failure = ended.failure { throw failure }
    return true
  }

  /// Ends the threads and waits for them. That wipes their starting keys.
  public func stop() {
    state.change { $0.isOver = true }
    for thread in threads.withLock({ threads in
      defer { threads = [] }
      return threads
    }) { thread.join() }
  }

  /// The key that was found; nil when none was. Its public key has been compared with the pattern by way of libsecp256k1.
  public func key() throws(CurveError) -> KeyPair? {
    guard let found = state.withLock({ $0.found }) else { return nil }
    return try KeyPair(found.key)
  }

  private static func work(_ pattern: VanityPattern, _ multiples: Multiples, _ state: Locked<State>) {
    var isOver = false
    while !isOver {
      do throws(CurveError) {
        isOver = try search(pattern, multiples, state)
      } catch {
        // Any other error means that the end of the group was reached, which practically never happens. Begin again at another
        // random key.
        guard error == .outOfMemory else { continue }
        state.change { ($0.isOver, $0.failure) = (true, .outOfMemory) }
        return
      }
    }
  }

  /// Until the search is over.
  private static func search(
    _ pattern: VanityPattern, _ multiples: Multiples, _ state: Locked<State>
  ) throws(CurveError) -> Bool {
    var walk = try Walk(from: SecretKey.random(), by: multiples)
    let count = UInt64(walk.keysPerBatch)
    while true {
      var place: Walk.Place?
      if let ending = pattern.ending {
        try ending.withMatcher { (ending) throws(CurveError) in
          try walk.batch { x, at in if pattern.matches(x) && ending.matches(x) { place = at } }
        }
      } else {
        try walk.batch { x, at in if pattern.matches(x) { place = at } }
      }
      let finding = if let place { try finding(walk, place, pattern) } else { Finding?.none }
      let end = { (state: inout State) -> Bool in
        state.tried &+= count
        if let finding, !state.isOver { (state.found, state.isOver) = (finding, true) }
        return state.isOver
      }
      // The waiting caller is woken only for a key.
      if finding == nil ? state.withLock(end) : state.change(end) { return true }
    }
  }

  /// The key at a place, if libsecp256k1 confirms that it has the pattern.
  private static func finding(
    _ walk: borrowing Walk, _ place: Walk.Place, _ pattern: VanityPattern
  ) throws(CurveError) -> Finding? {
    let key = try walk.key(at: place)
    return pattern.matches(try KeyPair(key).publicKey) ? Finding(key) : nil
  }
}
