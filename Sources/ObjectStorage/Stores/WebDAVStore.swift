import HTTPClient
package import SecretMemory

/// Backups in a collection of a WebDAV server (RFC 4918).
package struct WebDAVStore: FileStore {
  private let address: WebAddress
  private let login: HTTPRequest.Login?
  private let certificates: String?

  /// - Parameters:
  ///   - user: nil for the one in the address, if any.
  ///   - certificates: a PEM file to trust instead of the system's.
  package init(_ address: WebAddress, user: String?, password: SecretBox?, certificates: String?) {
    (self.address, self.certificates) = (address, certificates)
    login = (user ?? address.user).flatMap { user in password.map { HTTPRequest.Login(user: user, password: $0) } }
  }

  package func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile] {
    var call = call("PROPFIND", "", ["Depth: 1", "Content-Type: application/xml; charset=utf-8"], control)
    call.body = .bytes(Array(WebDAVListing.question.utf8))
    let answer = try call.answer()
    guard answer.status == 207 else { throw Self.error(for: answer) }
    return try WebDAVListing.files(in: answer.body, of: address.path)
  }

  package func put(_ path: String, as name: String, _ control: TransferControl) throws(ObjectStorageError) {
    guard FileName.isAllowed(name) else { throw .notPrepared }
    let body = HTTPRequest.Body.file(path: path, length: try FileStatus.length(of: path))
    try upload(body, FileName.part(of: name), control)
    try move(FileName.part(of: name), to: name, overwriting: false, control)
  }

  package func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError) {
    guard FileName.isAllowed(name) else { throw .notPrepared }
    try upload(.bytes(bytes), FileName.part(of: name), control)
    try move(FileName.part(of: name), to: name, overwriting: true, control)
  }

  package func get(
    _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
  ) throws(ObjectStorageError) {
    guard FileName.isAllowed(name) else { throw .notPrepared }
    var call = call("GET", name, [], control)
    call.sink = sink
    let answer = try call.answer()
    guard answer.status == 200 else { throw Self.error(for: answer) }
  }

  package func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError) {
    guard FileName.isAllowed(name) else { throw .notPrepared }
    let answer = try call("DELETE", name, [], control).answer()
    guard (200..<300).contains(answer.status) || answer.status == 404 else { throw Self.error(for: answer) }
  }

  // MARK: steps

  /// Uploads a file under a temporary name, and makes the collection if it is missing.
  private func upload(_ body: HTTPRequest.Body, _ name: String, _ control: TransferControl) throws(ObjectStorageError) {
    var call = call("PUT", name, ["Content-Type: application/octet-stream"], control)
    call.body = body
    var answer = try call.answer()
    if answer.status == 404 || answer.status == 409 {
      let made = try self.call("MKCOL", "", [], control).answer()
      guard made.status == 201 else { throw Self.error(for: answer) }
      answer = try call.answer()
    }
    guard (200..<300).contains(answer.status) else { throw Self.error(for: answer) }
  }

  private func move(_ from: String, to name: String, overwriting: Bool, _ control: TransferControl) throws(ObjectStorageError) {
    let call = call(
      "MOVE", from, ["Destination: \(address.text)\(name)", "Overwrite: \(overwriting ? "T" : "F")"], control)
    let failure: ObjectStorageError
    do throws(ObjectStorageError) {
      let answer = try call.answer()
      if answer.status == 201 || answer.status == 204 { return }
      failure = answer.status == 412 ? .exists : Self.error(for: answer)
    } catch { failure = error }
    try? delete(from, control)
    throw failure
  }

  private func call(
    _ method: String, _ name: String, _ headers: [String], _ control: TransferControl
  ) -> HTTPRequest {
    var call = HTTPRequest(method, address.text + name, headers: headers + [HTTPRequest.userAgent])
    (call.login, call.certificates) = (login, certificates)
    call.obey(control)
    return call
  }

  private static func error(for answer: HTTPResponse) -> ObjectStorageError {
    switch answer.status {
    case 300..<400: .redirected
    case 401, 403: .notAuthorized
    case 404, 409, 410: .notFound
    case 413, 507: .full
    default: .refused(status: answer.status, code: "")
    }
  }
}
