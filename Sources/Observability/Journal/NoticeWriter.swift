import Platform

/// Where notices go: the journal, a person at a terminal, or a file or pipe.
package enum NoticeWriter: Sendable {
  case journal(JournalSocket)
  /// Lines with a priority in front, for a journal whose own socket cannot be reached.
  case prefixed(Int32)
  /// For the owner: the time of day and a sentence, laid out for the terminal's width.
  case terminal(Int32, layOut: @Sendable (String) -> String)
  /// For programs and for reading later: `time=… event=… message="…"`.
  case file(Int32)
  case nowhere

  /// The writer that fits a standard error.
  /// - Parameters:
  ///   - isQuiet: whether nothing is written to a terminal or a file. The journal is still written.
  ///   - stream: the environment variable `JOURNAL_STREAM`.
  ///   - layOut: breaks long lines for a terminal.
  package static func fitting(
    _ descriptor: Int32, isQuiet: Bool, stream: String?, socket path: String = JournalSocket.standardPath,
    layOut: @escaping @Sendable (String) -> String = { $0 }
  ) -> NoticeWriter {
    if JournalStream.isBehind(descriptor, stream) {
      return JournalSocket(path: path).map { .journal($0) } ?? .prefixed(descriptor)
    }
    if isQuiet { return .nowhere }
    return isatty(descriptor) == 1 ? .terminal(descriptor, layOut: layOut) : .file(descriptor)
  }

  /// - Parameter now: seconds since 1970.
  /// - Returns: false if the other end does not take it now. Then it is lost.
  func write(_ notice: Notice, now: Int64) -> Bool {
    switch self {
    case .journal(let socket): return socket.send(notice)
    case .prefixed(let descriptor): return Self.line("<\(notice.priority.rawValue)>\(notice.message)", to: descriptor)
    case .terminal(let descriptor, let layOut):
      // The command itself says that it runs and that it stopped.
      guard notice.event != .started, notice.event != .stopped, !Self.isSaidAlready(notice) else { return true }
      let lines = notice.ownersMessage.split(separator: "\n").joined(
        separator: "\n" + String(repeating: " ", count: "HH:MM:SS  ".count))
      return Self.line(layOut("\(Self.time(now, "%H:%M:%S", localtime_r))  \(lines)"), to: descriptor)
    case .file(let descriptor): return Self.line(Self.record(notice, now), to: descriptor)
    case .nowhere: return true
    }
  }

  /// Locking and unlocking have notices of their own, so the terminal does not report the problem `locked` as well.
  private static func isSaidAlready(_ notice: Notice) -> Bool {
    [.problem, .problemOver].contains(notice.event)
      && notice.fields.contains { $0.name == .problem && $0.value == Problem.locked.rawValue }
  }

  static func record(_ notice: Notice, _ now: Int64) -> String {
    let fields = notice.fields.map { field in
      " \(field.name.rawValue.dropFirst("HOLDFAST_".count).lowercased())=\(quoted(field.value))"
    }
    return "time=\(time(now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r)) level=\(notice.priority) event=\(notice.event.rawValue)"
      + fields.joined() + " message=\(quoted(notice.message))"
  }

  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
    return isPlain ? text : "\"" + String(text.flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }) + "\""
  }

  private typealias Split = (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?

  private static func time(_ seconds: Int64, _ format: String, _ split: Split) -> String {
    var (instant, parts) = (time_t(seconds), tm())
    guard split(&instant, &parts) != nil else { return "?" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress, strftime(start, 64, format, &parts) > 0 else { return "?" }
      return String(cString: start)
    }
  }

  /// Writes one line if the other end takes it now, because a pipe that nobody reads, or a terminal that was stopped, must not
  /// stop the signer. If there is room for a page, a shorter line is written whole.
  private static func line(_ text: String, to descriptor: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else { return false }
    let bytes = Array(text.utf8.prefix(longestLine)) + [0x0A]
    return Platform.write(descriptor, bytes, bytes.count) == bytes.count
  }

  /// Less than a page, which a pipe takes whole.
  private static let longestLine = 2048
}
