import AuditLog
import EntrustedShares
import Signer

/// Limits the log entries about requests for shares: anybody who knows of a kit, and each guardian, can cause as many as they like.
///
/// The first requests of a source within an hour have an entry each. One more entry says that further ones have none.
struct AskedEntries: Sendable {
  /// How many requests of a source have an entry of their own within an hour.
  static let perHour = 12
  /// The rule in the entry that stands for all further requests.
  static let further: AuditRule = "further requests of this hour are not logged"

  private var single = SourceLimits()
  private var summaries = SourceLimits()

  /// - Parameter now: seconds since 1970.
  /// - Returns: the entry for this request. Nil if the entry for further ones was written already.
  mutating func next(_ request: ShareRequest, now: Int64) -> AuditEntry? {
    let isSingle = single.take(request, Self.perHour, now: now)
    guard isSingle || summaries.take(request, 1, now: now) else { return nil }
    return .event(
      .guardianAsked, identity: request.identity, client: request.asker, rule: isSingle ? nil : Self.further)
  }

  /// Counts anew after an entry could not be written.
  mutating func forget(_ request: ShareRequest) {
    single.forget(request)
    summaries.forget(request)
  }
}
