/// Reads a stranger's message, for the fuzzer. Must not trap.
package enum GuardianMessageInput {
  /// - Returns: the content of an accepted message, written again. Nil for a refused one.
  package static func rewritten(_ content: String) -> String? { GuardianMessage(content)?.content }
}
