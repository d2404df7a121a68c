import Testing

@testable import Desktop

@Suite("Notice board")
struct NoticeBoardTests {
  static let first = notice("first")
  static let second = notice("second")

  static func notice(_ key: String, _ title: String = "asks") -> DesktopNotice {
    DesktopNotice(key: key, title: title, body: "", actions: [.init("approve", "Approve"), .init("default", "Open")])
  }

  /// A board on which the first notice stands under number 7.
  static func standing() -> NoticeBoard {
    var board = NoticeBoard()
    board.want([first])
    board.didShow(first, number: 7)
    return board
  }

  @Test("A notice is shown once") func whatIsWantedIsShownOnce() {
    var board = NoticeBoard()
    #expect(board.isIdle && board.nextStep == nil)
    board.want([Self.first, Self.second])
    #expect(board.nextStep == .show(Self.first, replacing: 0))
    board.didShow(Self.first, number: 1)
    #expect(board.nextStep == .show(Self.second, replacing: 0))
    board.didShow(Self.second, number: 2)
    #expect(board.nextStep == nil && !board.isIdle)
  }

  @Test("A notice that is no longer needed is removed") func whatIsNotWantedAnyMoreGoes() {
    var board = Self.standing()
    board.want([])
    #expect(board.nextStep == .close(7))
    board.didClose(7)
    #expect(board.isIdle)
  }

  @Test("A changed notice replaces its earlier text and no other notice") func aChangedNoticeReplacesItsOwn() {
    var board = Self.standing()
    let changed = Self.notice("first", "asks again")
    board.want([changed, Self.second])
    #expect(board.nextStep == .show(changed, replacing: 7))
    board.didShow(changed, number: 7)
    #expect(board.nextStep == .show(Self.second, replacing: 0), "never in the place of another")
  }

  @Test("A notice that the owner closed is not shown again until its text changes")
  func whatTheOwnerPutAwayStaysAwayUntilItSaysSomethingNew() {
    var board = Self.standing()
    board.wasClosed(7)
    #expect(board.isIdle)
    board.want([Self.first, Self.second])
    #expect(board.nextStep == .show(Self.second, replacing: 0))
    board.want([Self.notice("first", "6 requests")])
    #expect(board.nextStep == .show(Self.notice("first", "6 requests"), replacing: 0))
  }

  @Test("A press counts once, and only for a notice that is shown") func aPressCountsOnceAndOnlyForWhatIsShown() {
    var board = Self.standing()
    #expect(press(&board, 8, "approve") == nil)
    #expect(press(&board, 7, "deny") == nil, "was not offered")
    #expect(press(&board, 7, "approve") == "first")
    #expect(press(&board, 7, "approve") == nil)
    #expect(board.nextStep == .close(7))
    board.want([])
    board.didClose(7)
    #expect(press(&board, 7, "approve") == nil)
  }

  @Test("The numbers of an earlier desktop session have no meaning afterwards")
  func afterAnotherDesktopCameOldNumbersMeanNothing() {
    var board = Self.standing()
    board.desktopLeft()
    #expect(press(&board, 7, "approve") == nil)
    #expect(board.nextStep == .show(Self.first, replacing: 0))
  }

  @Test("A notice number that is given twice stands for the last notice only")
  func aNumberThatIsGivenTwiceStandsForTheLastOnly() {
    var board = Self.standing()
    board.want([Self.first, Self.second])
    board.didShow(Self.second, number: 7)
    #expect(press(&board, 7, "approve") == "second")
  }

  @Test("Markup in a text is shown as plain text") func markupReadsAsItself() {
    #expect(Markup.escaped("<b>a</b> & \"b\"") == "&lt;b&gt;a&lt;/b&gt; &amp; \"b\"")
  }

  @Test("The notifier does not start while it has nothing to show") func withoutAnythingToShowThereIsNoThread() {
    let notifier = DesktopNotifier { _, _ in
      Issue.record("nothing was pressed")
      return .taken
    }
    notifier.show([])
    #expect(notifier.condition == .unused)
    notifier.stop()
    notifier.show([Self.first])
    #expect(notifier.condition == .unused, "stopped")
  }

  private func press(_ board: inout NoticeBoard, _ number: UInt32, _ action: String) -> String? {
    board.wasPressed(number, action)
  }
}
