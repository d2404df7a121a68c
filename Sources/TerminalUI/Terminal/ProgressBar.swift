import Platform

/// A bar on standard error for work that lasts: nothing within the first second, nothing unless standard error and standard output are
/// terminals. What another program prints of the output would stand in the middle of the bar.
public struct ProgressBar: ~Copyable {
  private static let patience: Int64 = 1000
  private static let pause: Int64 = 100

  /// The text before the bar.
  public var title: String
  private let total: Int
  private let descriptor: Int32
  private let isShown: Bool
  private let started: Int64
  private var drawn: Int64?

  /// - Parameters:
  ///   - total: how much there is to do, in any unit.
  ///   - now: milliseconds on a clock that does not jump.
  ///   - isOutputTerminal: whether standard output is a terminal.
  public init(
    _ title: String, total: Int, now: Int64, to descriptor: Int32 = 2, isOutputTerminal: Bool = Terminal.isOutput
  ) {
    isShown = isOutputTerminal && isatty(descriptor) == 1
    self.title = title
    self.total = total
    self.descriptor = descriptor
    started = now
  }

  /// Draws the bar again if it is time to.
  public mutating func update(done: Int, now: Int64) {
    guard now - started >= Self.patience, now - (drawn ?? .min / 2) >= Self.pause, isShown else { return }
    drawn = now
    let line = Self.line(title, done: done, total: total, width: Terminal.columns(descriptor))
    Output.write(Array(("\r" + line + "\u{1B}[K").utf8), to: descriptor)
  }

  /// Takes the bar off the screen.
  public mutating func finish() {
    guard drawn != nil else { return }
    drawn = nil
    Output.write(Array("\r\u{1B}[K".utf8), to: descriptor)
  }

  /// The bar as text of less than `width` columns: title, bar, per cent.
  static func line(_ title: String, done: Int, total: Int, width: Int) -> String {
    let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
    let percent = "\(Int(share * 100)) %"
    let room = min(40, width - title.count - percent.count - 6)
    guard room >= 5 else { return String("\(title) \(percent)".prefix(max(0, width - 1))) }
    let full = Int(share * Double(room))
    return "\(title) [" + String(repeating: "#", count: full) + String(repeating: ".", count: room - full) + "] " + percent
  }
}
