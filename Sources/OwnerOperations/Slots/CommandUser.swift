import Desktop
import Platform
import SecretMemory
import Unlocking

/// Who this process runs for, as PAM knows them, and how to tell them something.
package enum CommandUser {
  /// The longest message that is shown, in bytes.
  private static let longest = 512

  /// Filled only by a command that opens the vault itself.
  static let passed = PassedPAMChecks()
  private static let audience = Locked<Audience?>(nil)

  // A closure in a type of its own, so that it may be kept.
  private struct Audience: Sendable { let show: @Sendable (String?) -> Void }

  /// From here on a running signer shows what a gate says; nil ends that.
  /// - Parameter show: hears nil when the question is over.
  package static func show(_ show: (@Sendable (String?) -> Void)?) {
    audience.change { $0 = show.map { Audience(show: $0) } }
  }

  /// Answers gates with the login password, where there is one. A finger needs none.
  static func gate(_ secrets: [String: SecretBox]) -> PAMCheck? {
    guard let name = UserAccount.name else { return nil }
    return PAMCheck(
      user: name, password: secrets["login"], reader: { reader }, passed: passed,
      ended: { audience.withLock { $0 }?.show(nil) }, told: { text in say(text) })
  }

  /// What the fingerprint service says of the account.
  private static var reader: PAMCheck.FingerprintReader {
    guard case .success(let readers) = EnrolledFingerprints().look(), !readers.isEmpty else { return .missing }
    return readers.allSatisfy(\.fingers.isEmpty) ? .knowsNobody : .knowsSomebody
  }

  /// "Place your finger on the reader": to who asked. A command says it itself; a signer on the desktop, or on the terminal it was
  /// started in. Into a journal it does not go: nobody looks there, and it is another program's text.
  private static func say(_ text: String) {
    audience.withLock { $0 }?.show(text)
    guard passed.isRemembering || isatty(2) == 1 else { return }
    // Without what a terminal would obey.
    var line = text.utf8.prefix(longest).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 } + [0x0A]
    _ = write(2, &line, line.count)
  }
}
