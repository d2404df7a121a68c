import Desktop
import Platform
import SecretMemory
import Unlocking

/// The user that this process runs for, in PAM's words, and how to show that person a message.
package enum CommandUser {
  /// The longest message that is shown, in bytes.
  private static let longest = 512

  /// Filled only by a command that opens the vault itself.
  static let passed = PassedPAMChecks()
  private static let audience = Locked<Audience?>(nil)

  // A closure in a separate type, so that it can be stored.
  private struct Audience: Sendable { let show: @Sendable (String?) -> Void }

  /// From now on, a running signer shows what PAM says during a check. Nil ends that.
  /// - Parameter show: called with nil when the question is over.
  package static func show(_ show: (@Sendable (String?) -> Void)?) {
    audience.change { $0 = show.map { Audience(show: $0) } }
  }

  /// Answers PAM checks with the login password, if there is one. A finger needs none.
  static func pamCheck(_ secrets: [String: SecretBox]) -> PAMCheck? {
    guard let name = UserAccount.name else { return nil }
    return PAMCheck(
      user: name, password: secrets["login"], reader: { reader }, passed: passed,
      ended: { audience.withLock { $0 }?.show(nil) }, told: { text in say(text) })
  }

  /// What the fingerprint service says about the account.
  private static var reader: PAMCheck.FingerprintReader {
    guard case .success(let readers) = EnrolledFingerprints().look(), !readers.isEmpty else { return .missing }
    return readers.allSatisfy(\.fingers.isEmpty) ? .knowsNobody : .knowsSomebody
  }

  /// Shows "Place your finger on the reader" to whoever asked: a command prints it, a signer shows it on the desktop or on the
  /// terminal where it was started. It is not written to a journal, because nobody looks there, and because it is another
  /// program's text.
  private static func say(_ text: String) {
    audience.withLock { $0 }?.show(text)
    guard passed.isRemembering || isatty(2) == 1 else { return }
    // Without control characters, which a terminal would obey.
    var line = text.utf8.prefix(longest).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 } + [0x0A]
    _ = write(2, &line, line.count)
  }
}
