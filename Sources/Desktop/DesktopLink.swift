import Platform

/// The connection to the desktop and its reconnects, for the notifier's thread.
struct DesktopLink {
  /// The first pause after a failure, in milliseconds. It doubles each time.
  private static let firstPause: Int32 = 1_000
  private static let longestPause: Int32 = 60_000
  /// The most messages that are read before the notices are checked again: another program may send without end.
  private static let mostAtOnce = 256

  typealias Board = ((inout NoticeBoard) -> NoticeBoard.Step?) -> NoticeBoard.Step?

  private let waker: Int32
  private var server: NotificationServer?
  private var pause: Int32 = 0
  private(set) var condition = DesktopNotifier.Condition.unused

  init(waker: Int32) { self.waker = waker }

  /// Does everything that is possible now.
  /// - Returns: the longest time to wait, in milliseconds; negative to wait for an event.
  mutating func turn(board: Board, pressed: (String, String) -> DesktopNotifier.Answer) -> Int32 {
    drainWaker()
    do {
      if server == nil { server = try NotificationServer(try SessionBus()) }
      var (isMore, didSomething) = (false, false)
      // Again after each call: a message that came before its answer is already in the library and causes no event.
      repeat {
        isMore = try hear(board, pressed)
        didSomething = try carryOut(board)
      } while didSomething && !isMore
      (pause, condition) = (0, .shown)
      return isMore ? 0 : -1
    } catch {
      return failed(error, board)
    }
  }

  func wait(milliseconds: Int32) {
    if let server { return server.bus.wait(milliseconds: milliseconds, waker: waker) }
    var descriptor = pollfd(fd: waker, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
  }

  private mutating func hear(_ board: Board, _ pressed: (String, String) -> DesktopNotifier.Answer) throws(BusError) -> Bool {
    for _ in 0..<Self.mostAtOnce {
      guard let message = try server?.bus.next() else { return false }
      switch server?.signal(in: message) {
      case .pressed(let number, let action)?:
        var key: String?
        _ = board { board in
          key = board.wasPressed(number, action)
          return nil
        }
        if let key, case .open(let address) = pressed(key, action), server?.bus.open(address) != true { Browser.open(address) }
      case .closed(let number)?: change(board) { $0.wasClosed(number) }
      case .replaced?: change(board) { $0.desktopLeft() }
      case nil: break
      }
    }
    return true
  }

  /// - Returns: whether there was anything to do.
  private mutating func carryOut(_ board: Board) throws(BusError) -> Bool {
    var didSomething = false
    while let step = board({ $0.nextStep }) {
      didSomething = true
      switch step {
      case .close(let number):
        try server?.close(number)
        change(board) { $0.didClose(number) }
      case .show(let notice, let number):
        guard let shown = try server?.show(notice, replacing: number) else { throw .closed }
        change(board) { board in
          if shown.isOfAnother { board.desktopLeft() }
          board.didShow(notice, number: shown.number)
        }
      }
    }
    return didSomething
  }

  // No connection, or no program that shows notifications: try later, and at once when one appears.
  private mutating func failed(_ fault: BusError, _ board: Board) -> Int32 {
    switch fault {
    case .noLibrary: condition = .noLibrary
    case .noBus, .closed: condition = .noBus
    case .refused: condition = .noDesktop
    }
    if fault != .refused { server = nil }
    change(board) { $0.desktopLeft() }
    pause = pause == 0 ? Self.firstPause : min(pause * 2, Self.longestPause)
    return pause
  }

  private func change(_ board: Board, _ body: @escaping (inout NoticeBoard) -> Void) {
    _ = board { board in
      body(&board)
      return nil
    }
  }

  private func drainWaker() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(waker, &bytes, bytes.count) > 0 {}
  }
}
