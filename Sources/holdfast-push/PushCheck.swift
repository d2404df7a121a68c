import APNs
import CommandLine
import JSON
import Platform
import PushProxy
import Relays
import Sockets
import TerminalUI

/// `holdfast-push check`: tries what a proxy with these options would use, and changes nothing.
struct PushCheck {
  static let word = "check"
  /// The time limit for connecting to a relay, in milliseconds.
  private static let patience = 5_000

  private let given: Invocation
  private let options: PushOptions

  init(_ given: Invocation, _ options: PushOptions) { (self.given, self.options) = (given, options) }

  /// One thing that was looked at.
  private struct Finding {
    enum Verdict: String { case good, warning, bad }

    let verdict: Verdict
    let found: String
    var advice = ""

    static func good(_ found: String) -> Finding { Finding(verdict: .good, found: found) }
  }

  /// Prints what was found.
  func run() throws(CommandError) -> ExitCode {
    let warnings = StartWarnings.all(given, options) + [options.storage.warning].compactMap { $0 }
    let all =
      [configuration, apple] + warnings.map { Finding(verdict: .warning, found: $0) } + [storage] + (try relays())
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
    guard let apple = options.settings.apple else {
      return .good("Without Apple's service: browsers and UnifiedPush devices are woken.")
    }
    return .good("The key for Apple's service can be read, for \(apple.service.topic) at \(apple.service.host).")
  }

  private var storage: Finding {
    do throws(CommandError) { return .good(try options.storage.trial()) } catch {
      return Finding(verdict: .bad, found: error.error, advice: error.hint)
    }
  }

  /// Each relay once, all at the same time.
  private func relays() throws(CommandError) -> [Finding] {
    guard let loop = try? EventLoop() else {
      throw CommandError(.failed, "The network could not be prepared.", hint: "There may be no memory or file descriptor left.")
    }
    loop.start()
    defer { loop.stop(within: 1_000) }
    let clients = options.settings.relays.sorted { $0.text < $1.text }.map { ($0, RelayClient()) }
    defer { for (_, client) in clients { client.close() } }
    for (relay, client) in clients { client.begin(loop, relay, milliseconds: Self.patience, reachesInside: true) }
    return clients.map { relay, client in
      guard let reason = client.faultOfOpening(within: Self.patience + 1_000) else { return .good("\(relay.text) answers.") }
      return Finding(
        verdict: .bad, found: "There is no connection to \(relay.text): \(reason).",
        advice: "Check its address, and whether it runs.")
    }
  }

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
