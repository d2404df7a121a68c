import APNs
import CommandLine
import JSON
import Platform
import PushProxy
import TerminalUI

/// `holdfast-push check`: tries what a proxy with these options would use, and changes nothing.
struct PushCheck {
  static let word = "check"
  private let given: Invocation
  let options: PushOptions

  init(_ given: Invocation, _ options: PushOptions) { (self.given, self.options) = (given, options) }

  /// One thing that was looked at.
  struct Finding {
    enum Verdict: String { case good, warning, bad }

    let verdict: Verdict
    let found: String
    var advice = ""

    static func good(_ found: String) -> Finding { Finding(verdict: .good, found: found) }
    static func bad(_ error: CommandError) -> Finding { Finding(verdict: .bad, found: error.error, advice: error.hint) }
  }

  /// Prints what was found.
  func run() throws(CommandError) -> ExitCode {
    let warnings = StartWarnings.all(given, options) + [options.storage.warning].compactMap { $0 }
    let warned = warnings.map { Finding(verdict: .warning, found: $0) }
    let all: [Finding] = [configuration, apple] + warned + storage + [place] + (try relays(options.settings.relays))
    let isSound = !all.contains { $0.verdict == .bad }
    guard Output.plain(options.isJSON ? json(all, isSound) : text(all)) else { return .failed }
    return isSound ? .done : .failed
  }

  // MARK: what is looked at

  /// The options were read and understood before.
  private var configuration: Finding {
    .good("The options are in order, for \(options.settings.server.base).")
  }

  private var apple: Finding {
    if let fault = options.appleFault { return .bad(fault) }
    guard let apple = options.settings.apple else {
      return .good("Without Apple's service: browsers and UnifiedPush devices are woken.")
    }
    return .good("The key for Apple's service can be read, for \(apple.service.topic) at \(apple.service.host).")
  }

  private var storage: [Finding] {
    do throws(CommandError) { return [.good(try options.storage.trial())] + [inUse].compactMap { $0 } } catch {
      return [.bad(error)]
    }
  }

  /// The proxy that runs already may be the one that is asked about, so it is no fault.
  private var inUse: Finding? {
    options.storage.holder.map { holder in
      Finding(
        verdict: .warning,
        found: "Another push proxy\(Self.process(holder)) uses the data folder: a second one does not start with it.",
        advice: "That is as it should be if it is this proxy, which runs already.")
    }
  }

  static func process(_ holder: Int32) -> String { holder > 0 ? " (process \(holder))" : "" }

  // MARK: what is printed

  private func text(_ all: [Finding]) -> String {
    let marks = [Finding.Verdict.good: "✓", .warning: "!", .bad: "✗"]
    return all.map { finding in
      "\(marks[finding.verdict] ?? "") \(finding.found)" + (finding.advice.isEmpty ? "" : "\n    \(finding.advice)")
    }.joined(separator: "\n")
  }

  private func json(_ all: [Finding], _ isSound: Bool) -> String {
    let findings = all.map { finding in
      JSONValue.object([
        .init("verdict", .string(finding.verdict.rawValue)), .init("found", .string(finding.found)),
        .init("advice", finding.advice.isEmpty ? .null : .string(finding.advice)),
      ])
    }
    return String(
      decoding: JSONValue.object([.init("ok", .bool(isSound)), .init("findings", .array(findings))]).serialized(), as: UTF8.self)
  }
}
