internal import HTTPClient
internal import ObjectStorage
internal import OwnerAPI
internal import Platform
internal import Signer

extension BackupPlace {
  /// The way to the files there.
  /// - Throws: a place that needs credentials and has none.
  func store(_ credential: BackupCredential?, certificates: String?) throws(OperationError) -> any FileStore {
    switch self {
    case .folder(let path): return FolderStore(path)
    case .webDAV(let address):
      return WebDAVStore(
        address, user: credential?.user.isEmpty == false ? credential?.user : nil, password: credential?.password,
        certificates: certificates)
    case .s3(let place):
      guard let credential, !credential.user.isEmpty else {
        throw .usage(
          "A bucket needs an access key: its id and its secret.", hint: "Give both in --credentials-file FILE, one a line.")
      }
      return S3Store(
        place, keyID: credential.user, secret: credential.password, certificates: certificates, clock: { Clock.seconds })
    }
  }
}

extension OperationError {
  /// A place that cannot be meant.
  init(_ error: PlaceError) {
    let text =
      switch error {
      case .tooLong(let limit): "The place for backups is longer than \(limit) bytes."
      case .noAddress: "This is no place for backups."
      case .needsTLS: "A server for backups must be reached by https, unless it runs on this machine."
      case .passwordInAddress: "A password does not belong in an address: addresses are stored and shown in clear."
      case .notAbsolute: "The folder for backups must be named from the root: /media/disk/backups."
      case .badBucket: "A bucket's name has 3 to 63 of a-z, 0-9, “-” and “.”."
      case .badRegion: "A region's name has a-z, 0-9 and “-”."
      }
    self.init(.usage, text, hint: "A folder from the root, https://user@host/path, or s3://bucket/prefix.")
  }

  /// A place that does not do what it should.
  init(_ error: ObjectStorageError) {
    let hint: String? =
      switch error {
      case .http(.noLibrary): "Install it: apt install libcurl4"
      case .notAuthorized: "Give new ones: holdfast backup schedule … --credentials-file FILE"
      case .notFound: "Look whether the disk is mounted, the folder or bucket is there and its name is right."
      case .full: "Make room there, or keep fewer: holdfast backup schedule … --keep N"
      case .clocksDiffer: "Set this machine's clock."
      case .http(.notTrusted): "For a certificate of your own: --ca FILE"
      default: nil
      }
    self.init(.failed, "The place for backups: \(error.text).", hint: hint)
  }
}
