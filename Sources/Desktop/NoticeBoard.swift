/// Compares the notices that should be shown with those that are. It does no I/O: it returns the next step and is told the
/// result.
///
/// Each of the desktop's numbers stands for one notice only, so that a press meant for one request never answers another.
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
  /// Notices that were closed or pressed. They are not shown again unchanged.
  private var putAway: [String: DesktopNotice] = [:]

  /// Whether nothing is shown and nothing should be.
  var isIdle: Bool { nextStep == nil && shown.isEmpty }

  /// Sets all notices that should be shown.
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

  /// Notes that the desktop shows the notice under this number.
  mutating func didShow(_ notice: DesktopNotice, number: UInt32) {
    // If a desktop uses a number twice, the first notice is gone.
    for (key, entry) in shown where entry.number == number && key != notice.key { shown[key] = nil }
    shown[notice.key] = Shown(number: number, notice: notice)
  }

  mutating func didClose(_ number: UInt32) {
    for (key, entry) in shown where entry.number == number { shown[key] = nil }
  }

  /// Notes that a notice has closed: the owner closed it, or its time ran out.
  mutating func wasClosed(_ number: UInt32) {
    guard let (key, entry) = shown.first(where: { $0.value.number == number }) else { return }
    shown[key] = nil
    putAway[key] = entry.notice
  }

  /// Notes that an action was pressed.
  /// - Returns: the key of the notice, once; nil for a number or an action that was not shown.
  mutating func wasPressed(_ number: UInt32, _ action: String) -> String? {
    guard let (key, entry) = shown.first(where: { $0.value.number == number }), putAway[key] != entry.notice,
      entry.notice.actions.contains(where: { $0.key == action })
    else { return nil }
    putAway[key] = entry.notice
    return key
  }

  /// Forgets what is shown, because another desktop program, or none, is running now.
  mutating func desktopLeft() { shown = [:] }
}
