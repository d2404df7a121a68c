// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SecretMemory

/// A place for backups, and the credentials for it.
public struct BackupPlaceRequest: Fields {
  /// An absolute folder path, `https://user@host/path`, or `s3://bucket/prefix`, possibly followed by endpoint and region.
  public var to: String?
  /// For a bucket.
  public var endpoint: String?
  public var region: String?
  /// A PEM file of certificates, as a path on the signer's machine.
  public var certificates: String?
  public var user: SecretBox?
  public var password: SecretBox?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("to", &to, "A folder as an absolute path, a WebDAV address with https, or s3://bucket/prefix.")
    try fields.text("endpoint", &endpoint, "The server of a bucket, with https.")
    try fields.text("region", &region, "The region of a bucket.")
    try fields.text("ca", &certificates, "A PEM file of certificates to trust instead of the system's, as an absolute path.")
    try fields.secret("user", &user, "The user name for the server, or the id of the bucket's access key.")
    try fields.secret("password", &password, "The password for the server, or the secret of the access key.")
  }
}
