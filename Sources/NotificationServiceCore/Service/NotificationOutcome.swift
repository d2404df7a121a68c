public import RemoteSigning

/// What became of a push, and what the notification says.
public struct NotificationOutcome: Hashable, Sendable {
  /// How the wake ended, for the request that the push named.
  public enum Result: String, Sendable, CaseIterable {
    /// The request was allowed, and a relay has the answer.
    case signed
    /// It waits for the owner, in the journal.
    case waiting
    /// A rule denied it, and the app was told; or the sender was refused.
    case denied
    /// It waits until the app is unlocked: its key is not with the extension.
    case locked
    /// The relay does not have it.
    case notFound = "not-found"
    /// It is not for an app of this signer, or is not what it claims to be.
    case notOurs = "not-ours"
    /// It was accepted before.
    case seen
    /// It could not be answered.
    case failed
  }

  /// Why a wake failed.
  public enum Fault: Error, Hashable, Sendable {
    case payload(PushPayloadError)
    case files(ExtensionError)
    /// No relay of the request could be reached, or none took the answer.
    case relays
    /// The time was over before the request was accepted. It is left at its relay.
    case deadline
    /// The answer is an error, for example because a text cannot be decrypted.
    case answeredWithError
    /// Too many requests came to be remembered.
    case overloaded
  }

  /// How it ended.
  public let result: Result
  /// The notification's title, in plain words; never what the app wants signed. Empty for a silent one.
  public let title: String
  /// The notification's text, in plain words; never what the app wants signed. Empty for a silent one.
  public let body: String
  /// Whether nothing is to be shown: what came is of no concern to the owner. Without Apple's entitlement for filtering notifications an
  /// extension cannot show nothing; then show a title of your own.
  public var isSilent: Bool { title.isEmpty }
  /// Why it failed.
  public let fault: Fault?
  /// The rule that decided.
  public let rule: Rule?

  init(_ result: Result, title: String = "", body: String = "", fault: Fault? = nil, rule: Rule? = nil) {
    (self.result, self.title, self.body, self.fault, self.rule) = (result, title, body, fault, rule)
  }
}
