import CommandLine
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// What became of requests that were approved a moment ago, for whoever approved them.
struct ApprovalOutcome {
  /// How long it waits for the end of each, in milliseconds.
  private static let patience: Int64 = 3000
  /// How long it waits before it asks again, in microseconds.
  private static let pause: UInt32 = 20_000

  private let outcomes: [RequestOutcome]

  init(_ outcomes: [RequestOutcome]) { self.outcomes = outcomes }

  /// Asks until each is over, or for three seconds.
  init(of ids: [String], _ home: Home) {
    let end = Clock.monotonicMilliseconds + Self.patience
    var found = Self.asked(ids, home)
    while found.contains(where: { [.doing, .done].contains($0.state) }), Clock.monotonicMilliseconds < end {
      usleep(Self.pause)
      found = Self.asked(ids, home)
    }
    outcomes = found
  }

  private static func asked(_ ids: [String], _ home: Home) -> [RequestOutcome] {
    guard !ids.isEmpty, let result = try? askDaemonWhole(RequestOutcomes.call(.init(of: ids)), home) else { return [] }
    return (try? RequestOutcomes.answer(result).outcomes) ?? []
  }

  /// Whether an app did not get what was approved.
  var isBad: Bool { outcomes.contains { [.failed, .undelivered].contains($0.state) } }

  /// What did not go as it should; nil if all went well.
  var text: String? {
    let lines = [failed, undelivered, underWay].compactMap { $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private var failed: String? {
    let failed = outcomes.filter { $0.state == .failed }
    guard !failed.isEmpty else { return nil }
    let why = Set(failed.map { ours($0.failure) }).sorted().joined(separator: "; ")
    return "\(subject(failed.count)) failed: \(why). To see it in the log: holdfast log show --since 1h"
  }

  private var undelivered: String? {
    let count = outcomes.count { $0.state == .undelivered }
    return count == 0
      ? nil : "\(subject(count)) was done, but no relay took the answer, so the app does not have it. It may ask again."
  }

  private var underWay: String? {
    let count = outcomes.count { [.doing, .done].contains($0.state) }
    return count == 0 ? nil : "\(subject(count)) is still on its way: no relay has taken the answer yet."
  }

  private func subject(_ count: Int) -> String { outcomes.count == 1 ? "It" : "\(count) of \(outcomes.count)" }
}
