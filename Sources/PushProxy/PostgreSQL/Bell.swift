import Platform

/// Wakes a thread that waits for a descriptor, from another thread.
final class Bell: Sendable {
  private let (reading, writing): (Int32, Int32)

  /// - Throws: `.database(.away)` when the process has no descriptors left.
  init() throws(RegistrationsError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .database(.away) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// A bell that was rung already stays so.
  func ring() {
    var one: UInt8 = 1
    _ = write(writing, &one, 1)
  }

  /// Waits until the bell is rung, or `descriptor` can be read, or the time is over.
  func wait(milliseconds: Int64, or descriptor: Int32?) {
    var waited = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waited, 2, Int32(clamping: milliseconds)) > 0, waited[0].revents != 0 else { return }
    var rung = [UInt8](repeating: 0, count: 64)
    while read(reading, &rung, rung.count) == rung.count {}
  }
}
