/// What should stand on the desktop and what does. No I/O: says what is to be done next, and takes in what came of it.
///
/// A number of the desktop's stands for one notice only, so that a press meant for one request never answers another.
struct NoticeBoard {
  enum Step: Equatable {
    /// - replacing: the number of the one to change, 0 for a new one.
    case show(DesktopNotice, replacing: UInt32)
    case close(UInt32)
  }

  private struct Shown {
    let number: UInt32
    let notice: DesktopNotice
  }

  private var wanted: [DesktopNotice] = []
  private var shown: [String: Shown] = [:]
  /// Seen and put away, or pressed: not shown again as it is.
  private var putAway: [String: DesktopNotice] = [:]

  /// Whether nothing stands there and nothing should.
  var isIdle: Bool { nextStep == nil && shown.isEmpty }

  /// Sets all that should stand there.
  mutating func want(_ notices: [DesktopNotice]) {
    wanted = notices
    let keys = Set(notices.map(\.key))
    putAway = putAway.filter { keys.contains($0.key) }
  }

  var nextStep: Step? {
    let byKey = Dictionary(wanted.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    if let old = shown.first(where: { key, entry in byKey[key] == nil || putAway[key] == byKey[key] }) {
      return .close(old.value.number)
    }
    for notice in wanted where putAway[notice.key] != notice {
      guard let entry = shown[notice.key] else { return .show(notice, replacing: 0) }
      if entry.notice != notice { return .show(notice, replacing: entry.number) }
    }
    return nil
  }

  // MARK: what came of it

  /// The desktop shows it under this number.
  mutating func didShow(_ notice: DesktopNotice, number: UInt32) {
    // A desktop that gives one number twice takes the first notice away.
    for (key, entry) in shown where entry.number == number && key != notice.key { shown[key] = nil }
    shown[notice.key] = Shown(number: number, notice: notice)
  }

  mutating func didClose(_ number: UInt32) {
    for (key, entry) in shown where entry.number == number { shown[key] = nil }
  }

  /// The desktop says that one is gone: the owner put it away, or its time was over.
  mutating func wasClosed(_ number: UInt32) {
    guard let (key, entry) = shown.first(where: { $0.value.number == number }) else { return }
    shown[key] = nil
    putAway[key] = entry.notice
  }

  /// The desktop says that something was pressed.
  /// - Returns: the key of the notice, once; nil for a number or an action that we did not show.
  mutating func wasPressed(_ number: UInt32, _ action: String) -> String? {
    guard let (key, entry) = shown.first(where: { $0.value.number == number }), putAway[key] != entry.notice,
      entry.notice.actions.contains(where: { $0.key == action })
    else { return nil }
    putAway[key] = entry.notice
    return key
  }

  /// Another desktop, or none: it knows nothing of what stood there.
  mutating func desktopLeft() { shown = [:] }
}
