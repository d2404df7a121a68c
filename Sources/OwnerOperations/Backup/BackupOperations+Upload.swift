import Backups
import Encodings
import OwnerAPI
import OwnerWords
import Signer
import Vault

/// Backups that a browser sends to have them checked or, in a trial, restored.
extension Operations {
  func beginUpload(_ request: BackupUploadBegin.Request, _ call: OperationCall) throws -> BackupUploadBegin.Response {
    let session = try call.session()
    var response = BackupUploadBegin.Response()
    response.upload = try services.uploads.begin(request.length, in: session)
    response.longestPart = Int64(BackupUploads.longestPart)
    // Locked meanwhile: what was sent before is gone already.
    if home.sessionLock.isLocked {
      services.uploads.drop(response.upload, in: session)
      throw OperationError.unlockFirst
    }
    return response
  }

  func takeUploadPart(_ request: BackupUploadPart.Request, _ call: OperationCall) throws -> BackupUploadPart.Response {
    let session = try call.session()
    guard let part = Base64URL.decode(request.data) else { throw OperationError.usage("“data” is not base64url.") }
    var response = BackupUploadPart.Response()
    response.received = try services.uploads.take(part, at: request.offset, of: request.upload, in: session)
    return response
  }

  func endUpload(_ request: BackupUploadEnd.Request, _ call: OperationCall) throws -> BackupUploadEnd.Response {
    try reading(
      request.upload, call,
      keeping: { [isTrial = home.isTrial] (told: BackupUploadEnd.Response) in told.isOfThisVault || isTrial }
    ) { path in
      let file = try BackupFile(path: path)
      var response = BackupUploadEnd.Response()
      response.vault = Hex.encode(Array(file.vaultID.prefix(4)))
      response.isOfThisVault = file.vaultID == home.vault.id
      let summary = try? file.open(as: home.vault).summary()
      response.made = summary.map { $0.madeAt / 1000 }
      response.number = summary.map { Int64(clamping: $0.number) }
      return response
    }
  }

  func checkUpload(_ request: BackupUploadCheck.Request, _ call: OperationCall) throws -> BackupVerify.Response {
    _ = try call.proof()
    return try reading(request.upload, call, keeping: { _ in false }) { path in
      try verifyBackup(at: path, shown: Self.uploaded, request.credential, call)
    }
  }

  /// What results and errors call the file. The browser does not send its name.
  static let uploaded = "the file that was sent"

  /// Reads an upload, and removes it unless there is more to do with it: after a wrong credential the owner tries again.
  func reading<Result>(
    _ upload: String, _ call: OperationCall, keeping: (Result) -> Bool, _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    let (session, uploads) = (try call.session(), services.uploads)
    do {
      let result = try uploads.read(upload, in: session, body)
      if !keeping(result) { uploads.drop(upload, in: session) }
      return result
    } catch let error as BackupUploadError {
      throw error
    } catch {
      if ![.locked, .usage].contains(OperationError(error).exit) { uploads.drop(upload, in: session) }
      throw error
    }
  }
}
