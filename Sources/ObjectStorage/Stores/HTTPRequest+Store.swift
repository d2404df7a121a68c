import HTTPClient

extension HTTPRequest {
  /// How the signer introduces itself to servers that keep backups.
  static let userAgent = "User-Agent: holdfast"

  mutating func obey(_ control: TransferControl) { (isCancelled, progress) = (control.isCancelled, control.progress) }

  /// Sends the request; what stopped it is an error of the store.
  func answer() throws(ObjectStorageError) -> HTTPResponse {
    do throws(HTTPClientError) { return try perform() } catch { throw error == .cancelled ? .cancelled : .http(error) }
  }
}
