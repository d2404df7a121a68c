public import SecretMemory

/// A session with a service as a program keeps it over a restart: twelve texts and an end.
///
/// The four secrets are kept as items of their own, so that a part of the program that needs the viewing key never holds the token.
public struct ExportedSession: Sendable {
  /// The service's name for the session.
  public var id = ""
  /// Who is signed in.
  public var user = ""
  /// On which device, by the service's name for it.
  public var device = ""
  /// The account or address that is used.
  public var account = ""
  /// The account's public key.
  public var publicKey = ""
  /// The network or chain.
  public var network = ""
  /// Where the service answers.
  public var server = ""
  /// What the token is good for.
  public var scope = ""
  /// What signs requests to the service.
  public var accessToken: SecretBox?
  /// What gets a new access token.
  public var refreshToken: SecretBox?
  /// What reads the account's records.
  public var viewingKey: SecretBox?
  /// What marks the account's notes as spent.
  public var nullifyingKey: SecretBox?
  /// When it ends, in milliseconds since 1970-01-01 UTC.
  public var expiresAt: Int64

  /// A session without any field yet.
  public init(expiresAt: Int64) { self.expiresAt = expiresAt }
}

/// A part of a session that is secret and an item of its own.
public enum SessionSecret: String, Sendable, CaseIterable {
  case accessToken = "access token"
  case refreshToken = "refresh token"
  case viewingKey = "viewing key"
  case nullifyingKey = "nullifying key"

  var path: WritableKeyPath<ExportedSession, SecretBox?> {
    switch self {
    case .accessToken: \.accessToken
    case .refreshToken: \.refreshToken
    case .viewingKey: \.viewingKey
    case .nullifyingKey: \.nullifyingKey
    }
  }
}

extension ExportedSession {
  /// The account of the item that holds the eight open texts.
  static let openAccount = "session"

  private static var openFields: [(name: String, path: WritableKeyPath<ExportedSession, String>)] {
    [
      ("id", \.id), ("user", \.user), ("device", \.device), ("account", \.account), ("publicKey", \.publicKey),
      ("network", \.network), ("server", \.server), ("scope", \.scope),
    ]
  }

  /// Sealed as well, because the fields reveal who the user is.
  func openFields() throws(KeyStoreError) -> SecretFields {
    var fields = SecretFields()
    for (name, path) in Self.openFields { try fields.set(name, text: self[keyPath: path]) }
    return fields
  }

  init(_ fields: SecretFields, expiresAt: Int64) throws(KeyStoreError) {
    self.init(expiresAt: expiresAt)
    for (name, path) in Self.openFields {
      guard fields[name] != nil else { continue }
      guard let text = fields.text(name) else { throw .corrupt("session") }
      self[keyPath: path] = text
    }
  }
}
