import CommandLine
import CredentialOptions
import TerminalUI

/// The options of `identity vanity`.
struct VanityRequest: Sendable, Equatable {
  /// More threads than any usual machine has cores.
  private static let mostThreads: Int64 = 1024

  /// The name of the new identity.
  let name: String
  /// `npub1…` or hex digits; empty if any beginning will do.
  let prefix: String
  /// Hex digits; empty if any end will do.
  let suffix: String
  /// The end of an npub; empty if any end will do.
  let npubSuffix: String
  /// Nil starts one for each core.
  let threads: Int?

  /// - Throws: for numbers out of range, and if neither a beginning nor an end is named.
  init(_ invocation: Invocation) throws(UsageError) {
    name = invocation.argument("name") ?? ""
    if looksLikeHexKey(name) { throw .secretKeyInArguments }
    (prefix, suffix) = (invocation.value("prefix") ?? "", invocation.value("suffix") ?? "")
    npubSuffix = invocation.value("npub-suffix") ?? ""
    threads = try invocation.integer("threads", in: 1...Self.mostThreads).map { Int($0) }
    if prefix.isEmpty && suffix.isEmpty && npubSuffix.isEmpty {
      throw .refused(
        sentence: "'identity vanity' needs to know how the key is to begin or end.",
        hint: "For example: holdfast identity vanity NAME --prefix npub1ace")
    }
  }
}
