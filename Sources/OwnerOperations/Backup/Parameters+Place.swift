internal import Backups
internal import JSON
internal import ObjectStorage
internal import OwnerAPI
internal import SecretMemory

extension Parameters {
  /// A place for backups and what signs in there: `to`, `endpoint`, `region`, `ca`, and the secrets `user` and `password`. For a
  /// bucket endpoint and region may stand behind it, as `s3://bucket/prefix?endpoint=https://host&region=eu`.
  func backupPlace() throws -> (
    place: BackupPlace, store: any FileStore, text: PlaceText, credential: BackupCredential?
  ) {
    let text = try placeText()
    let place: BackupPlace
    place = try text.place()
    let credential = try credential()
    return (place, try place.store(credential, certificates: text.certificates), text, credential)
  }

  /// The place as it was written.
  func placeText() throws -> PlaceText {
    var (to, endpoint, region) = (try text("to"), try optionalText("endpoint"), try optionalText("region"))
    if to.hasPrefix("s3://"), let mark = to.firstIndex(of: "?") {
      for part in to[to.index(after: mark)...].split(separator: "&") {
        if part.hasPrefix("endpoint=") { endpoint = String(part.dropFirst(9)) }
        if part.hasPrefix("region=") { region = String(part.dropFirst(7)) }
      }
      to = String(to[..<mark])
    }
    return PlaceText(to: to, endpoint: endpoint, region: region, certificates: try optionalText("ca"))
  }

  func store() throws -> (BackupPlace, any FileStore) {
    let found = try backupPlace()
    return (found.place, found.store)
  }

  /// What signs in there; nil when nothing was given.
  func credential() throws -> BackupCredential? {
    guard let password = secret("password") else { return nil }
    guard (1...BackupCredential.longestPassword).contains(password.count) else {
      throw OperationError.usage("The password has at most \(BackupCredential.longestPassword) bytes.")
    }
    let name = secret("user")?.withBytes { String(validating: $0, as: UTF8.self) }
    let user = name.flatMap { $0 } ?? ""
    guard user.utf8.count <= BackupCredential.longestUser, user.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw OperationError.usage("The user's name has at most \(BackupCredential.longestUser) bytes, without spaces.")
    }
    return BackupCredential(user: user, password: password)
  }
}
