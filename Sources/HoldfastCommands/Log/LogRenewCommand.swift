import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast log renew`
enum LogRenewCommand: OwnerCommand {
  typealias Operation = LogRenew

  static let place = Command(
    "renew", "Replace a damaged log by a new one",
    discussion: """
      The signer refuses to use a damaged or replaced log. This command asks for your proof, keeps the old log next to the new \
      one, and starts the new one. If the old log cannot be read, nobody can tell whether the vault is an older copy. Then all \
      apps are paused, links and waiting requests are dropped, and the signer stays locked down until 'holdfast resume'.
      """,
    options: [SharedOptions.yes])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Credential { Credential() }

  static func question(_ line: Invocation) -> String? {
    "Put the log aside and begin a new one? If it cannot be read, all apps are paused."
  }

  static func text(_ answer: LogRenew.Response, _ reader: Reader) -> String {
    let begun = "A new log was begun. The old one is kept in \(shown(answer.kept))."
    guard !answer.isVouched else { return begun }
    let names = (answer.accepted?.suspended ?? []).map { shown($0) }
    return """
      \(begun)
      It could not be read, so nobody can tell whether the vault is an older copy. The signer stays locked down until: holdfast resume
      Paused: \(names.isEmpty ? "none" : names.joined(separator: ", ")). Resume an app only if you know it: holdfast client resume
      """
  }
}
