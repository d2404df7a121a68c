import Platform

/// Whichever came first from a person at a terminal: a byte or a signal.
enum KeyPress: Equatable {
  case byte(UInt8)
  case signal(Int32)
  /// The terminal cannot be read any more.
  case gone

  /// Waits.
  init(_ terminal: Int32, orSignalFrom signals: Int32) {
    while true {
      var waits = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0), pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waits, 2, -1) < 0 && errno != EINTR {
        self = .gone
        return
      }
      var byte: UInt8 = 0
      if waits[0].revents != 0 {
        self = read(signals, &byte, 1) == 1 ? .signal(Int32(byte)) : .gone
        return
      }
      guard waits[1].revents != 0 else { continue }
      let count = read(terminal, &byte, 1)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      self = count == 1 ? .byte(byte) : .gone
      return
    }
  }
}
