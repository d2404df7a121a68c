import Backups
import ObjectStorage
package import OwnerAPI
import OwnerWords
import SecretMemory

extension BackupPlaceRequest {
  /// The place of backups with its store and its credential.
  ///
  /// For a bucket, endpoint and region may follow the place, as `s3://bucket/prefix?endpoint=https://host&region=eu`.
  func store() throws(OperationError) -> (place: BackupPlace, store: any FileStore) {
    let text = try text()
    let login = try login()
    do {
      let place = try text.place()
      return (place, try place.store(login, certificates: text.certificates))
    } catch { throw OperationError(error) }
  }

  /// Refuses what can be refused without a credential: an address that cannot be meant, and a folder of this machine that cannot be read.
  package func checkPlace() throws(OperationError) {
    let text = try text()
    do {
      guard case .folder = try text.place() else { return }
      _ = try text.place().store(nil, certificates: nil).list(TransferControl())
    } catch { throw OperationError(error) }
  }

  /// The store at a place, with the credential of the request.
  func store(at place: PlaceText) throws(OperationError) -> any FileStore {
    let login = try login()
    do { return try place.place().store(login, certificates: place.certificates) } catch { throw OperationError(error) }
  }

  /// The place as it was written.
  func text() throws(OperationError) -> PlaceText {
    guard var to else { throw OperationError(.missing("to")) }
    var (endpoint, region) = (endpoint, region)
    if to.hasPrefix("s3://"), let mark = to.firstIndex(of: "?") {
      for part in to[to.index(after: mark)...].split(separator: "&") {
        if part.hasPrefix("endpoint=") { endpoint = String(part.dropFirst(9)) }
        if part.hasPrefix("region=") { region = String(part.dropFirst(7)) }
      }
      to = String(to[..<mark])
    }
    return PlaceText(to: to, endpoint: endpoint, region: region, certificates: certificates)
  }

  /// The credential for the place; nil if none was given.
  func login() throws(OperationError) -> BackupCredential? {
    guard let password else { return nil }
    guard (1...BackupCredential.longestPassword).contains(password.count) else {
      throw .usage("The password has at most \(BackupCredential.longestPassword) bytes.")
    }
    let name = user?.withBytes { String(validating: $0, as: UTF8.self) }
    let user = name.flatMap { $0 } ?? ""
    guard user.utf8.count <= BackupCredential.longestUser, user.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw .usage("The user's name has at most \(BackupCredential.longestUser) bytes, without spaces.")
    }
    return BackupCredential(user: user, password: password)
  }
}
