/// Events from one relay that the owner has not handled yet. When there are too many events or bytes, the relay is not read.
struct InFlight: Sendable {
  private var count = 0
  private var bytes = 0
  /// Whether reading is paused until half of them are handled.
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
