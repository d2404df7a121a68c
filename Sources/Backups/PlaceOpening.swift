package import ObjectStorage
import Platform

extension BackupPlace {
  /// The store for the place's files.
  /// - Throws: if the place needs a credential and there is none.
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
