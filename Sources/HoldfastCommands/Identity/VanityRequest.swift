import CommandLine
import TerminalUI

/// What `identity vanity` was told.
struct VanityRequest: Sendable, Equatable {
  /// More threads than any machine this is run on has cores.
  private static let mostThreads: Int64 = 1024

  /// The name of the identity to be.
  let name: String
  /// `npub1…` or hex digits; empty when only the end matters.
  let prefix: String
  /// Hex digits; empty when the end does not matter.
  let suffix: String
  /// The end of an npub; empty when it does not matter.
  let npubSuffix: String
  /// Nil for one for each core.
  let threads: Int?

  /// - Throws: for numbers out of range, and when neither a beginning nor an end is named.
  init(_ invocation: Invocation) throws(UsageError) {
    name = invocation.argument("name") ?? ""
    if looksLikeHexKey(name) { throw .secretKeyInArguments }
    (prefix, suffix) = (invocation.value("prefix") ?? "", invocation.value("suffix") ?? "")
    npubSuffix = invocation.value("npub-suffix") ?? ""
    threads = try invocation.integer("threads", in: 1...Self.mostThreads).map { Int($0) }
    if prefix.isEmpty && suffix.isEmpty && npubSuffix.isEmpty { throw .valueMissing(option: "prefix") }
  }
}
