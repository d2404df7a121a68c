/// The rules there are. The raw value is the machine name, stable for scripts; `reason` is what people read, everywhere in the
/// same words.
public enum Rule: String, Sendable, CaseIterable {
  case alwaysAllowed = "always-allowed"
  case ownerDenied = "owner-denied"
  case ownerAllowed = "owner-allowed"
  case ownerAsks = "owner-asks"
  case suspended = "suspended"
  case lockedDown = "locked-down"
  case walletKind = "wallet-kind"
  case webLogin = "web-login"
  case relayLogin = "relay-login"
  case knownRelay = "known-relay"
  case followListUnknown = "follow-list-unknown"
  case followListDrops = "follow-list-drops"
  case fullTrust = "full-trust"
  case lowTrust = "low-trust"
  case protectedKind = "protected-kind"
  case mediumTrust = "medium-trust"
  case selfEncryption = "self-encryption"
  case minuteLimit = "minute-limit"
  case hourLimit = "hour-limit"
  case dayLimit = "day-limit"
  case budget = "budget"
  case ownerApproved = "owner-approved"
  case ownerRefused = "owner-refused"
  case succession = "succession"
  case vanish = "vanish"
  case keyHandling = "key-handling"
  case unknownKind = "unknown-kind"
  case selfDecryption = "self-decryption"
  case fileLogin = "file-login"
  case fileDeletion = "file-deletion"
  case longLogin = "long-login"
  case datedAhead = "dated-ahead"
  case identityRetired = "identity-retired"
  case locked = "locked"
  case presence = "presence"
  case signersEnvelope = "signers-letter"
  case zapSplit = "zap-split"
  case paymentAddress = "payment-address"
  case deletesList = "deletes-list"
  case queueFull = "queue-full"
  case firstUse = "first-use"

  /// The stable machine name, in lower case with dashes.
  public var name: String { rawValue }

  /// Whether the app's trust decides by this rule.
  public var isOfTrust: Bool {
    switch self {
    case .fullTrust, .mediumTrust, .lowTrust, .protectedKind, .selfEncryption, .followListDrops, .followListUnknown: true
    default: false
    }
  }

  /// What people read and the log keeps: at most 64 bytes of printable ASCII.
  public var reason: String {
    switch self {
    case .alwaysAllowed: "every paired app may ask this"
    case .ownerDenied: "you denied this"
    case .ownerAllowed: "you allowed this"
    case .ownerAsks: "you want to be asked about this"
    case .suspended: "the app was paused when it asked"
    case .lockedDown: "the signer was locked down when it asked"
    case .walletKind: "you are asked each time about spending"
    case .webLogin: "you are asked about logins to websites"
    case .relayLogin: "you are asked about logins to unknown relays"
    case .knownRelay: "medium trust, a relay of yours"
    case .followListUnknown: "the follow list so far is not known here"
    case .followListDrops: "this would drop many of your follows"
    case .fullTrust: "full trust"
    case .lowTrust: "low trust: you are asked about everything"
    case .protectedKind: "medium trust asks before this"
    case .mediumTrust: "medium trust"
    case .selfEncryption: "medium trust, encryption to yourself"
    case .minuteLimit: "more in a minute than you allow this app"
    case .hourLimit: "more in an hour than you allow this app"
    case .dayLimit: "more in a day than you allow this app"
    case .budget: "the budget you gave this app is used up"
    case .ownerApproved: "you approved this request"
    case .ownerRefused: "you denied this request"
    case .succession: "you are asked each time about a successor key"
    case .vanish: "you are asked each time about a request to vanish"
    case .keyHandling: "you are asked each time about signing for your key elsewhere"
    case .unknownKind: "you are asked about kinds that Holdfast does not know"
    case .selfDecryption: "you are asked about reading what you encrypted to yourself"
    case .fileLogin: "you are asked about logins to file servers"
    case .fileDeletion: "you are asked about deleting files from a server"
    case .longLogin: "you are asked about logins good for more than a day"
    case .datedAhead: "you are asked about events dated in the future"
    case .identityRetired: "this key is retired"
    case .locked: "the signer is locked"
    case .presence: "this identity needs your presence each time"
    case .signersEnvelope: "messages between signers are not for apps"
    case .zapSplit: "you are asked before others are paid for what you publish"
    case .paymentAddress: "you are asked before it changes where payments to you go"
    case .deletesList: "you are asked before your profile or a list of yours is lost"
    case .queueFull: "too many requests are waiting for you"
    case .firstUse: "you have not let it in yet"
    }
  }

  /// The reason of a decision about what an app would ask now.
  public var presentReason: String {
    switch self {
    case .suspended: "the app is paused"
    case .lockedDown: "the signer is locked down"
    default: reason
    }
  }

  /// Whether the app or the whole signer was stopped, so that neither trust nor other rules decided.
  public var isStop: Bool { self == .suspended || self == .lockedDown }

  /// The rule behind a reason, as logs and older records keep it. Nil for a text of no rule.
  public init?(reason: String) {
    guard let rule = Self.allCases.first(where: { $0.reason == reason }) ?? Self.earlier[reason] else { return nil }
    self = rule
  }

  /// Reasons in earlier wordings, as older logs and records have them.
  private static let earlier: [String: Rule] = [
    "medium trust, a relay of this session or of yours": .knownRelay, "letters of the signer are not for apps": .signersEnvelope,
    "all permissions are suspended": .suspended, "this app is paused, or the signer is locked down": .suspended,
    "the app was paused, or the signer locked down, when it asked": .suspended,
    "protected kind under medium trust": .protectedKind,
    "spending is asked each time": .walletKind,
    "logging in to a website is asked": .webLogin,
    "logging in to an unknown relay is asked": .relayLogin,
    "low trust asks everything": .lowTrust,
    "naming a successor key is asked each time": .succession,
    "erasing all you published is asked each time": .vanish, "you are asked each time about erasing all you published": .vanish,
    "signing for your key elsewhere is asked each time": .keyHandling,
    "a kind that is not known here is asked": .unknownKind,
    "reading what you encrypted to yourself is asked": .selfDecryption,
    "logging in to a file server is asked": .fileLogin,
    "deleting files from a server is asked": .fileDeletion,
    "a login good for more than a day is asked": .longLogin,
    "an event dated ahead is asked": .datedAhead,
    "having others paid for what you publish is asked": .zapSplit,
    "changing where payments to you go is asked": .paymentAddress,
  ]
}
