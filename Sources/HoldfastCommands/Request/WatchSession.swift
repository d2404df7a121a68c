import CommandLine
import OwnerAPI
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `request watch` at a terminal: shows requests as they come, and takes answers to them.
///
/// Each answer is that of the command that a person would type, 'request approve' or 'request deny', with its questions and proofs.
struct WatchSession {
  private let line: Invocation
  private let news: WatchedNews
  private var requests = WatchedRequests()
  private var isFirst = true
  /// Whether it was said how requests are answered. After that, a short question stands below them.
  private var isExplained = false
  /// Whether the cursor stands behind a short question.
  private var isAsking = false

  init(_ line: Invocation) throws(CommandError) {
    self.line = line
    guard let news = WatchedNews(home: home(line).path) else {
      throw CommandError(.failed, "The system has no thread left.", hint: "Try again.")
    }
    self.news = news
  }

  mutating func run() throws(CommandError) -> ExitCode {
    while true {
      switch news.next() {
      case .news(let found): show(try found.get())
      case .typed(let typed):
        guard let typed else {
          endQuestion()
          return .done
        }
        isAsking = false
        guard answers(typed) else { return .done }
      }
    }
  }

  /// What is shown next begins on a line of its own.
  private mutating func endQuestion() {
    if isAsking { Output.plain("") }
    isAsking = false
  }

  private mutating func show(_ found: RequestWatch.Response) {
    let wereWaiting = !requests.waiting.isEmpty
    // What was answered here is not known any more, and was told.
    let ended = found.ended.compactMap { end in requests.remove(end.id).map { WatchText.ended($0, end) } }
    let begun = found.requests.map { request in
      let number = requests.add(request.id, RequestLine.marked(request), isLocked: request.needsUnlock == true)
      if !request.isHidden { requests.noteRead(request.id, RequestText.explanation(request)) }
      return WatchText.numbered(number, request, .present)
    }
    guard isFirst || !ended.isEmpty || !begun.isEmpty else { return }
    isFirst = false
    endQuestion()
    for text in ended + begun { Output.line(suggested(line).text(text)) }
    requests.noteChange(ofShown: wereWaiting || !ended.isEmpty, at: Clock.monotonicMilliseconds)
    ask()
  }

  private mutating func ask() {
    let numbers = requests.waiting.map(\.number)
    guard isExplained else {
      isExplained = !numbers.isEmpty
      Output.line(WatchText.question(numbers))
      if requests.areLocked { Output.line(suggested(line).text(WatchText.locked)) }
      return
    }
    Output.write(Array(WatchText.shortQuestion(numbers).utf8), to: STDOUT_FILENO)
    isAsking = true
  }

  /// Says something, then what waits and how it is answered.
  private mutating func list(_ text: String) {
    for line in [text] + requests.waiting.map({ "  \($0.number)  \($0.title)" }) where !line.isEmpty { Output.line(line) }
    ask()
  }

  /// - Returns: whether to go on.
  private mutating func answers(_ typed: String) -> Bool {
    switch WatchedAnswer(typed: typed) {
    case .quit: return false
    case .approve(let number, let duration): answer(RequestApproveCommand.self, number, duration)
    case .deny(let number, let duration): answer(RequestDenyCommand.self, number, duration)
    case .show(let number): show(number)
    case .help: list(WatchText.help)
    case nil where typed.allSatisfy(\.isWhitespace): list("")
    case nil: list("'\(foreign(typed, limit: 40))' is no answer. For the answers, type ? and Enter.")
    }
    return true
  }

  /// Answers a request as a command does, but names no further commands.
  private mutating func answer(_ command: (some AnswerCommand).Type, _ number: Int?, _ duration: Duration?) {
    guard let id = requests.id(of: number) else { return list(WatchText.missing(number, requests.waiting.map(\.number))) }
    // Whoever typed no number may have meant the one that was there before.
    if number == nil, requests.haveJustChanged(at: Clock.monotonicMilliseconds) { return list(WatchText.justChanged) }
    do throws(CommandError) {
      let typed = try typed(command.place.name, id, duration)
      let (answer, told) = try command.answered(typed, at: requests.place(of: id))
      _ = requests.remove(id)
      Output.line(command.text(answer, .present))
      answer.say(told, typed)
      _ = command.tellsOutcome(of: answer, typed)
    } catch { Output.warning(suggested(line).text(error.text)) }
    ask()
  }

  /// The command line of an answer.
  private func typed(_ verb: String, _ id: String, _ duration: Duration?) throws(CommandError) -> Invocation {
    let home = line.value("home").map { ["--home", $0] } ?? []
    let time = duration.map { ["--for", $0.rawValue] } ?? []
    return try usage(line) { () throws(UsageError) in try ArgumentParser.holdfast.parse(["request", verb, id] + time + home) }
  }

  /// Shows a request again, as it is now.
  private mutating func show(_ number: Int) {
    guard let id = requests.id(of: number) else { return list(WatchText.missing(number, requests.waiting.map(\.number))) }
    var wanted = RequestShow.Request()
    wanted.id = id
    do throws(CommandError) {
      let found = try RequestShow.answer(try performWhole(RequestShow.call(wanted), line)).request
      if !found.isHidden { requests.noteRead(id, RequestText.explanation(found)) }
      Output.line(suggested(line).text(WatchText.numbered(number, found, .present)))
    } catch { Output.warning(suggested(line).text(error.text)) }
    ask()
  }
}

/// Waits for what was typed and for news of requests at once.
final class WatchedNews: Sendable {
  /// What comes next.
  enum Next {
    /// A line; nil at the end of the input.
    case typed(String?)
    case news(Result<RequestWatch.Response, CommandError>)
  }

  private let found = Locked<[Result<RequestWatch.Response, CommandError>]>([])
  /// A byte is written to `told` for each one that was found.
  private let hears: Int32
  private let told: Int32

  /// Begins to ask, on a thread of its own.
  init?(home: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (hears, told) = (ends[0], ends[1])
    guard SystemThread.startDetached(stackBytes: SystemThread.largeStack, { [self] in ask(home) }) else { return nil }
  }

  private func ask(_ home: String) {
    var request = RequestWatch.Request()
    request.wait = RequestWatchCommand.patience
    while true {
      let result: Result<RequestWatch.Response, CommandError>
      do throws(CommandError) {
        let answer = try RequestWatch.answer(try RequestWatchCommand.news(home, request))
        request.after = answer.cursor
        result = .success(answer)
      } catch { result = .failure(error) }
      found.withLock { $0.append(result) }
      guard write(told, [0], 1) == 1, case .success = result else { return }
    }
  }

  /// What is there first. News that came before is told before the answer that was typed below it.
  func next() -> Next {
    while true {
      var waits = [
        pollfd(fd: hears, events: Int16(POLLIN), revents: 0), pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, 2, -1) > 0 else { continue }
      if waits[0].revents != 0 {
        var byte: UInt8 = 0
        guard read(hears, &byte, 1) == 1, let first = found.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
        return .news(first)
      }
      return .typed(PlainInput.typed())
    }
  }
}
