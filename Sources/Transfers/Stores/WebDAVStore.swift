package import SecretMemory

/// Backups in a collection of a WebDAV server (RFC 4918).
package struct WebDAVStore: FileStore {
  private let address: WebAddress
  private let login: HTTPCall.Login?
  private let certificates: String?

  /// - Parameters:
  ///   - user: nil for the one in the address, or none.
  ///   - certificates: a file (PEM) to trust instead of the system's.
  package init(_ address: WebAddress, user: String?, password: SecretBox?, certificates: String?) {
    (self.address, self.certificates) = (address, certificates)
    login = (user ?? address.user).flatMap { user in password.map { HTTPCall.Login(user: user, password: $0) } }
  }

  package func list(_ control: TransferControl) throws(TransferFault) -> [StoredFile] {
    var call = call("PROPFIND", "", control)
    call.headers = ["Depth: 1", "Content-Type: application/xml; charset=utf-8"]
    call.body = .bytes(Array(WebDAVListing.question.utf8))
    let answer = try call.perform()
    guard answer.status == 207 else { throw Self.fault(answer) }
    return try WebDAVListing.files(in: answer.body, of: address.path)
  }

  package func put(_ path: String, as name: String, _ control: TransferControl) throws(TransferFault) {
    guard FileName.isAllowed(name) else { throw .internalFault }
    let body = HTTPCall.Body.file(path: path, length: try FileStatus.length(of: path))
    try upload(body, FileName.part(of: name), control)
    try move(FileName.part(of: name), to: name, overwriting: false, control)
  }

  package func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(TransferFault) {
    guard FileName.isAllowed(name) else { throw .internalFault }
    try upload(.bytes(bytes), FileName.part(of: name), control)
    try move(FileName.part(of: name), to: name, overwriting: true, control)
  }

  package func get(
    _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
  ) throws(TransferFault) {
    guard FileName.isAllowed(name) else { throw .internalFault }
    var call = call("GET", name, control)
    call.sink = sink
    let answer = try call.perform()
    guard answer.status == 200 else { throw Self.fault(answer) }
  }

  package func delete(_ name: String, _ control: TransferControl) throws(TransferFault) {
    guard FileName.isAllowed(name) else { throw .internalFault }
    let answer = try call("DELETE", name, control).perform()
    guard (200..<300).contains(answer.status) || answer.status == 404 else { throw Self.fault(answer) }
  }

  // MARK: steps

  /// Puts a file that is not to be seen yet; makes the collection where it is missing.
  private func upload(_ body: HTTPCall.Body, _ name: String, _ control: TransferControl) throws(TransferFault) {
    var call = call("PUT", name, control)
    call.body = body
    call.headers = ["Content-Type: application/octet-stream"]
    var answer = try call.perform()
    if answer.status == 404 || answer.status == 409 {
      let made = try self.call("MKCOL", "", control).perform()
      guard made.status == 201 else { throw Self.fault(answer) }
      answer = try call.perform()
    }
    guard (200..<300).contains(answer.status) else { throw Self.fault(answer) }
  }

  private func move(_ from: String, to name: String, overwriting: Bool, _ control: TransferControl) throws(TransferFault) {
    var call = call("MOVE", from, control)
    call.headers = ["Destination: \(address.text)\(name)", "Overwrite: \(overwriting ? "T" : "F")"]
    let fault: TransferFault
    do throws(TransferFault) {
      let answer = try call.perform()
      if answer.status == 201 || answer.status == 204 { return }
      fault = answer.status == 412 ? .exists : Self.fault(answer)
    } catch { fault = error }
    try? delete(from, control)
    throw fault
  }

  private func call(_ method: String, _ name: String, _ control: TransferControl) -> HTTPCall {
    HTTPCall(method: method, url: address.text + name, login: login, certificates: certificates, control: control)
  }

  private static func fault(_ answer: HTTPAnswer) -> TransferFault {
    switch answer.status {
    case 300..<400: .redirected
    case 401, 403: .notAuthorized
    case 404, 409, 410: .notFound
    case 413, 507: .full
    default: .refused(status: answer.status, code: "")
    }
  }
}
