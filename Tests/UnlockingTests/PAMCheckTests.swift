import CPAM
import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Unlocking

extension Devices {
  /// A real libpam with services of the test's own, through pam_wrapper where the process was started with it.
  @Suite struct PAMCheckTests {
    @Test(
      "Each answer of PAM becomes the right error",
      arguments: [
        (PAM_AUTH_ERR, KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)),
        (PAM_ACCT_EXPIRED, .authenticationFailed(triesLeft: nil, waitSeconds: 0)),
        (PAM_AUTHINFO_UNAVAIL, .biometryNotAvailable), (PAM_USER_UNKNOWN, .biometryNotEnrolled), (PAM_MAXTRIES, .biometryLockout),
        (PAM_CONV_ERR, .userCancelled), (PAM_SYSTEM_ERR, .deviceFailed("the PAM service", code: 4)),
      ])
    func answersHaveNames(status: Int32, expected: KeyStoreError) { #expect(KeyStoreError(pam: status) == expected) }

    @Test(
      "The name of a PAM service cannot lead to another folder",
      arguments: ["", ".", "..", "../passwd", "/etc/shadow", "a b", "a\u{0}b", "é", String(repeating: "a", count: 65)])
    func aServiceIsAFileOfItsFolder(name: String) {
      #expect(!PAMCheck.isName(name))
      #expect(throws: KeyStoreError.corrupt("the name of the PAM service")) {
        try PAMCheck(user: "nobody", password: nil, told: { _ in }).pass(service: name)
      }
    }

    @Test("PAM's messages are shown, and only hidden prompts get the password")
    func messagesAreShownAndQuestionsAnsweredOnce() throws {
      let told = Locked<[String]>([])
      let conversation = Conversation(
        password: try box("secret word"), told: PAMCheck.Told { text in told.withLock { $0.append(text) } })
      func ask(_ style: Int32, _ text: String) -> Conversation.Answer {
        text.withCString { conversation.answer(pam_message(msg_style: style, msg: $0)) }
      }
      guard case .shown = ask(PAM_TEXT_INFO, "Place your finger on the reader") else { throw CocoaError(.featureUnsupported) }
      guard case .text(let answer) = ask(PAM_PROMPT_ECHO_OFF, "Password: ") else { throw CocoaError(.featureUnsupported) }
      #expect(String(cString: answer) == "secret word")
      free(answer)
      // What would be seen while it is typed is no question for a password.
      guard case .none = ask(PAM_PROMPT_ECHO_ON, "Name: ") else { throw CocoaError(.featureUnsupported) }
      #expect(conversation.hadNoAnswer)
      #expect(told.withLock { $0 } == ["Place your finger on the reader"])
      _ = ask(PAM_ERROR_MSG, String(repeating: "x", count: 10_000))
      #expect(told.withLock { $0.last?.utf8.count } == Conversation.maximumLength)
    }

    @Test("A PAM conversation without end is ended") func aConversationWithoutEndIsEnded() throws {
      let conversation = Conversation(password: nil, told: PAMCheck.Told { _ in })
      for _ in 0..<Conversation.maximumMessages {
        _ = "x".withCString { conversation.answer(pam_message(msg_style: PAM_TEXT_INFO, msg: $0)) }
      }
      guard case .none = "x".withCString({ conversation.answer(pam_message(msg_style: PAM_TEXT_INFO, msg: $0)) }) else {
        Issue.record("a 65th message was taken")
        return
      }
    }

    @Test("A password with a zero byte is not given to PAM") func aPasswordWithAZeroByteIsNotCut() throws {
      let conversation = Conversation(password: SecretBox(try secret([0x61, 0, 0x62])), told: PAMCheck.Told { _ in })
      guard case .none = "Password: ".withCString({ conversation.answer(pam_message(msg_style: PAM_PROMPT_ECHO_OFF, msg: $0)) })
      else {
        Issue.record("a cut password was given")
        return
      }
    }

    // MARK: a real PAM, in a program of its own that is started with pam_wrapper in front

    /// - Parameters:
    ///   - lines: of the service's file.
    ///   - users: of pam_matrix: `name:password:service`.
    private func ask(_ lines: String, user: String = "alice", password: String?, users: String = "") throws -> String {
      let folder = try Folder()
      let services = try folder.make("services")
      try lines.replacingOccurrences(of: "PASSDB", with: folder.file("passdb"))
        .write(toFile: services + "/holdfast", atomically: true, encoding: .utf8)
      try users.write(toFile: folder.file("passdb"), atomically: true, encoding: .utf8)
      let program = try #require(Self.asker, "PAMAsker was not built")
      let asked = try run(
        program, ["holdfast", user],
        environment: ["LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": services],
        input: password ?? "")
      return asked.output
    }

    private static let matrix = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"
    /// Built beside the tests.
    private static var asker: String? {
      let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      return ["PAMAsker", "../PAMAsker"].map { folder.appendingPathComponent($0).path }.first { access($0, X_OK) == 0 }
    }

    @Test("PAM accepts the right password and refuses a wrong one") func rightAndWrongPasswords() throws {
      let lines = "auth required \(Self.matrix) passdb=PASSDB\naccount required \(Self.matrix) passdb=PASSDB\n"
      let users = "alice:right:holdfast\n"
      #expect(try ask(lines, password: "right", users: users) == "passed\n")
      #expect(try ask(lines, password: "wrong", users: users).contains("authenticationFailed"))
      #expect(try ask(lines, password: nil, users: users).contains("interactionNotAllowed"))
      #expect(try ask(lines, user: "bob", password: "right", users: users).contains("passed") == false)
    }

    @Test("The PAM service decides, and its messages are shown") func theServiceDecidesAndItsMessagesAreShown() throws {
      #expect(try ask("auth required pam_permit.so\naccount required pam_permit.so\n", password: nil) == "passed\n")
      #expect(
        try ask("auth required pam_deny.so\naccount required pam_permit.so\n", password: "x").contains("authenticationFailed"))
      #expect(try ask("auth required pam_permit.so\naccount required pam_deny.so\n", password: "x").contains("passed") == false)
      let echo =
        "auth optional pam_echo.so Place your finger on the reader\nauth required pam_permit.so\naccount required pam_permit.so\n"
      #expect(try ask(echo, password: nil).contains("told: Place your finger on the reader"))
    }
  }
}
