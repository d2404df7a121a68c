internal import Curve
internal import Nostr
internal import RemoteSigning

/// What of an answer can be remembered, so that the same is not asked again.
struct Remembering {
  /// How long an answer can hold, in the words that are the same everywhere.
  static let once = "once"
  static let always = "always"

  let permission: Permission
  /// What is remembered, in words: "notes from this app".
  let label: String
  /// The words for how long, the shortest first.
  let offers: [String]

  init(_ request: PendingRequest) {
    permission = Permission(request.method, kind: request.kind)
    label = Self.plural(request) + " from this app"
    offers = Self.isNeverKept(request.kind) ? [Self.once] : [Self.once, Self.always]
  }

  /// Wallets and logins: a yes for good would be a key to the house.
  private static func isNeverKept(_ kind: Int?) -> Bool {
    guard let kind else { return false }
    return GuardedKinds.wallet.contains(kind) || SigningTime.isLogin(kind)
  }

  /// More than one request like this.
  static func plural(_ request: PendingRequest) -> String {
    switch request.method {
    case .signEvent: KindName(request.kind ?? 0).many
    case .nip04Encrypt, .nip44Encrypt: "encryptions"
    case .nip04Decrypt, .nip44Decrypt: "decryptions"
    default: "requests"
    }
  }
}
