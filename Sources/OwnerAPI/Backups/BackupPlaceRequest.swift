// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// A place for backups, and what signs in there.
public struct BackupPlaceRequest: Fields {
  /// A folder from the root, `https://user@host/path`, or `s3://bucket/prefix`. Endpoint and region may stand behind it.
  public var to: String?
  /// For a bucket.
  public var endpoint: String?
  public var region: String?
  /// A file of certificates (PEM), a path on the signer's machine.
  public var certificates: String?
  public var user: SecretBox?
  public var password: SecretBox?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("to", &to, "A folder from the root, a WebDAV address by https, or s3://bucket/prefix.")
    try fields.text("endpoint", &endpoint, "The server of a bucket, by https.")
    try fields.text("region", &region, "The region of a bucket.")
    try fields.text("ca", &certificates, "A file of certificates (PEM) to trust instead of the system's, named from the root.")
    try fields.secret("user", &user, "The user at the server, or the id of a bucket's access key.")
    try fields.secret("password", &password, "The password there, or the secret of the access key.")
  }
}
