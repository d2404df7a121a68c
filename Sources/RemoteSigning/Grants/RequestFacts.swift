/// What a request would do, as far as the rules look at it.
public struct RequestFacts: Hashable, Sendable {
  /// What is asked.
  public let method: Method
  /// The kind of the event to sign, 0 to 65535. Nil for other methods.
  public let kind: Int?
  /// The counterparty, relay or address. Nil where there is none, or none that can be read.
  public var scope: PermissionScope?
  /// Whether the other party of an encryption is the identity itself.
  public var isSelf: Bool
  /// For a relay login: whether the relay is one of the owner's, or of the identity's own relay lists.
  public var isKnownRelay: Bool
  /// For a login: whether it names no place that can be read, or several.
  public var isPlaceHidden = false
  /// For a follow list: what it would change.
  public var follows: FollowChange?
  /// For an event: the date that the app wants, seconds since 1970. Nil for now.
  public var datedAt: Int64?
  /// For a file login: what it would be good for. Nil where that cannot be read.
  public var file: FileLogin?

  /// Whether a text to encrypt is a guardian envelope, which only the signer itself may make.
  public var isSignersEnvelope = false

  /// For a profile: whether payments to its owner would go to an address that the profile so far does not have.
  public var changesPayment = false

  /// For a deletion: whether it names the author's profile or a list, of which there is one. For a list: whether nothing would be in it.
  public var deletesList = false
  /// For a deletion: the kinds of those that it names.
  public var deletedLists: Set<Int> = []

  /// For an event: whether its tags send zaps to others than its author (NIP-57), or to nobody that can be read.
  public var paysOthers = false

  /// The facts of one request.
  public init(
    method: Method, kind: Int? = nil, scope: PermissionScope? = nil, isSelf: Bool = false, isKnownRelay: Bool = false,
    follows: FollowChange? = nil
  ) {
    (self.method, self.kind, self.scope) = (method, kind, scope)
    (self.isSelf, self.isKnownRelay, self.follows) = (isSelf, isKnownRelay, follows)
  }

  /// Whether it would read what the identity encrypted to itself.
  public var isSelfDecryption: Bool { isSelf && method.isDecryption }

  /// The permission that an answer to this request is remembered by, where the owner names no other: as narrow as makes sense.
  public var permission: Permission { Permission(method, kind: kind, scope: scope) }
}
