package import ObjectStorage
import Platform

extension BackupPlace {
  /// The way to the files there.
  /// - Throws: a place that needs credentials and has none.
  package func store(_ credential: BackupCredential?, certificates: String?) throws -> any FileStore {
    switch self {
    case .folder(let path): return FolderStore(path)
    case .webDAV(let address):
      return WebDAVStore(
        address, user: credential?.user.isEmpty == false ? credential?.user : nil, password: credential?.password,
        certificates: certificates)
    case .s3(let place):
      guard let credential, !credential.user.isEmpty else {
        throw BackupsError.bucketNeedsKey
      }
      return S3Store(
        place, keyID: credential.user, secret: credential.password, certificates: certificates, clock: { Clock.seconds })
    }
  }
}
