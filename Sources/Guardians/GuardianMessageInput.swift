/// Reads a stranger's message, for the fuzzer. Must not trap.
package enum GuardianMessageInput {
  /// - Returns: for a message that was taken, its content written again; nil for what is refused.
  package static func rewritten(_ content: String) -> String? { GuardianMessage(content)?.content }
}
