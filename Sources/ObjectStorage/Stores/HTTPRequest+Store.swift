import HTTPClient

extension HTTPRequest {
  /// The user agent that the signer sends to backup servers.
  static let userAgent = "User-Agent: holdfast"

  mutating func obey(_ control: TransferControl) { (isCancelled, progress) = (control.isCancelled, control.progress) }

  /// Sends the request. A failure becomes an error of the store.
  func answer() throws(ObjectStorageError) -> HTTPResponse {
    do throws(HTTPClientError) { return try perform() } catch { throw error == .cancelled ? .cancelled : .http(error) }
  }
}
