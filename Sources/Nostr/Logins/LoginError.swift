/// Why a login by event (NIP-42, NIP-98) is refused. The first fault found; no case carries what the stranger wrote.
public enum LoginError: Error, Equatable, Sendable {
  /// The header does not start with `Nostr `.
  case wrongScheme
  /// The header is longer than the limit, in bytes.
  case tooLong(limit: Int)
  case notBase64
  /// The event cannot be read, its id is wrong or its signature invalid.
  case event(EventError)
  /// The kind that was found.
  case wrongKind(Int)
  /// `created_at` is further from now than the window; the difference in seconds, positive when it lies in the past.
  case outsideWindow(seconds: Int64)
  /// A tag that must stand exactly once does not.
  case tagCount(Tag)
  /// A tag says something else than this server expects.
  case mismatch(Tag)

  /// The tags that a login is made of.
  public enum Tag: Sendable, Equatable {
    case url, method, payload, relay, challenge
  }
}

extension Event {
  /// The value of a tag that must stand exactly once.
  func onlyTag(_ name: String, _ tag: LoginError.Tag) throws(LoginError) -> String {
    let values = tagValues(name)
    guard let value = values.first, values.count == 1 else { throw .tagCount(tag) }
    return value
  }

  /// Kind, time, id and signature of a login.
  func checkLogin(kind: Int, now: Int64, window: Int64) throws(LoginError) {
    guard self.kind == kind else { throw .wrongKind(self.kind) }
    let (age, overflow) = now.subtractingReportingOverflow(createdAt)
    guard !overflow, age.magnitude <= window.magnitude else { throw .outsideWindow(seconds: overflow ? .min : age) }
    do { try verify() } catch { throw .event(error) }
  }
}
