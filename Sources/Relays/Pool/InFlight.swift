/// What came from a relay and is under way to the owner: bounded in number and bytes, since the relay is not read meanwhile.
struct InFlight: Sendable {
  private var count = 0
  private var bytes = 0
  /// Whether the relay is not read until half of it is handled.
  private(set) var isPaused = false

  /// - Returns: whether reading must stop now.
  mutating func begin(_ size: Int) -> Bool {
    (count, bytes) = (count + 1, bytes + size)
    guard !isPaused, count >= RelayConnection.maximumInFlight || bytes >= RelayConnection.maximumInFlightBytes else {
      return false
    }
    isPaused = true
    return true
  }

  /// - Returns: whether reading may go on now.
  mutating func end(_ size: Int) -> Bool {
    (count, bytes) = (count - 1, bytes - size)
    guard isPaused, count <= RelayConnection.resumeInFlight, bytes <= RelayConnection.maximumInFlightBytes / 2 else {
      return false
    }
    isPaused = false
    return true
  }
}
