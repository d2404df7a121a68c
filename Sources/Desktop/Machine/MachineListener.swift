import Platform

/// The bus connections and their reconnects, for the thread of `MachineSignals`.
struct MachineListener {
  /// The first pause after a failure, in milliseconds. It doubles each time.
  private static let firstPause: Int32 = 1_000
  private static let longestPause: Int32 = 60_000
  /// The most messages of one bus that are read at once: another program may send without end.
  private static let mostAtOnce = 256

  private let waker: Int32
  private var wanted: Set<MachineSignal> = []
  private var login: LoginService?
  private var saver: ScreenSaver?
  private var fingers: FingerprintSignals?
  private var pause: Int32 = 0

  init(waker: Int32) { self.waker = waker }

  /// The signals that can be received now.
  var heard: Set<MachineSignal> {
    var found: Set<MachineSignal> = []
    if login?.isThere == true { found = [.willSleep, .desktopLocked] }
    if saver != nil { found.insert(.desktopLocked) }
    if fingers != nil { found.insert(.fingersMayHaveChanged) }
    return found.intersection(wanted)
  }

  /// Does everything that is possible now.
  /// - Returns: the longest time to wait, in milliseconds; negative to wait for an event.
  mutating func turn(_ wanted: Set<MachineSignal>, _ heard: (MachineSignal) -> Void) -> Int32 {
    drainWaker()
    if wanted != self.wanted { (login, saver, fingers, self.wanted, pause) = (nil, nil, nil, wanted, 0) }
    func take(_ signal: MachineSignal) { if wanted.contains(signal) { heard(signal) } }
    var (isMore, isMissing) = (false, false)
    do throws(BusError) {
      if login == nil, !wanted.isDisjoint(with: [.willSleep, .desktopLocked]) {
        login = try LoginService(SessionBus(.system), holdsUpSleep: wanted.contains(.willSleep))
      }
      if let login { isMore = try Self.hear(login.bus) { message throws(BusError) in try login.take(message, take) } }
    } catch { (login, isMissing) = (nil, true) }
    do throws(BusError) {
      if saver == nil, wanted.contains(.desktopLocked) { saver = try ScreenSaver(SessionBus(.session)) }
      if let saver, try Self.hear(saver.bus, { message throws(BusError) in saver.take(message, take) }) { isMore = true }
    } catch { (saver, isMissing) = (nil, true) }
    do throws(BusError) {
      if fingers == nil, wanted.contains(.fingersMayHaveChanged) { fingers = try FingerprintSignals(SessionBus(.system)) }
      if let fingers, try hearOfFingers(fingers, take) { isMore = true }
    } catch { (fingers, isMissing) = (nil, true) }
    if isMore { return 0 }
    pause = !isMissing ? 0 : pause == 0 ? Self.firstPause : min(pause * 2, Self.longestPause)
    return isMissing ? pause : -1
  }

  func wait(milliseconds: Int32) {
    var descriptors = [pollfd(fd: waker, events: Int16(POLLIN), revents: 0)]
    if let login { descriptors.append(login.bus.descriptor) }
    if let saver { descriptors.append(saver.bus.descriptor) }
    if let fingers { descriptors.append(fingers.bus.descriptor) }
    _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }

  /// However many signals arrive, the fingers are read once.
  private func hearOfFingers(_ fingers: FingerprintSignals, _ take: (MachineSignal) -> Void) throws(BusError) -> Bool {
    var isReason = false
    let isMore = try Self.hear(fingers.bus) { message throws(BusError) in if fingers.isReason(message) { isReason = true } }
    if isReason { take(.fingersMayHaveChanged) }
    return isMore
  }

  /// - Returns: whether there may be more.
  private static func hear(
    _ bus: SessionBus, _ take: (BusMessage) throws(BusError) -> Void
  ) throws(BusError) -> Bool {
    for _ in 0..<mostAtOnce {
      guard let message = try bus.next() else { return false }
      try take(message)
    }
    return true
  }

  private func drainWaker() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(waker, &bytes, bytes.count) > 0 {}
  }
}
