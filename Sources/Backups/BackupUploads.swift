import Encodings
import Platform
import SecretMemory
import Vault

/// Backups that browsers send in parts, to have them checked. Each lies in a private file without a name in the home, so that nothing of
/// it outlives this process.
///
/// No call reads or writes a file while it holds the lock. So dropping everything, when the signer is locked, does not wait for that.
package final class BackupUploads: Sendable {
  /// The longest file, in bytes.
  package static let largest: Int64 = 64 << 20
  /// The longest part, in bytes. As base64url it fits into one request of a browser.
  package static let longestPart = 45 << 10
  /// How many there are at once, of all sessions. Each session has one.
  package static let most = 4
  /// How long one lasts without a part, in milliseconds.
  package static let idleMilliseconds: Int64 = 10 * 60_000

  private struct Upload: Sendable {
    let id: String
    let length: Int64
    let file: SpoolFile
    var received: Int64 = 0
    var lastUse: Int64
    /// A part is being written, or the file is read.
    var isInUse = false
  }

  private struct State: Sendable {
    var bySession: [String: Upload] = [:]
    var isChecking = false
  }

  private let folder: String
  private let now: @Sendable () -> Int64
  private let append: @Sendable (SpoolFile, [UInt8]) -> Int32?
  private let state = Locked(State())

  /// - Parameter folder: the home.
  package convenience init(in folder: String) {
    self.init(in: folder, now: { Clock.bootMilliseconds }, append: { $0.append($1) })
  }

  /// - Parameters:
  ///   - now: milliseconds by a clock that nobody sets.
  ///   - append: writes a part; returns the number of the system's error.
  init(
    in folder: String, now: @escaping @Sendable () -> Int64, append: @escaping @Sendable (SpoolFile, [UInt8]) -> Int32?
  ) {
    (self.folder, self.now, self.append) = (folder, now, append)
  }

  /// Begins an upload. An earlier one of the same session ends.
  /// - Parameter length: the file's length in bytes.
  /// - Returns: its id, which means something in this session only.
  /// - Throws: `BackupUploadError`, `BackupError.io`.
  package func begin(_ length: Int64, in session: String) throws -> String {
    guard (1...Self.largest).contains(length) else { throw BackupUploadError.length(limit: Self.largest) }
    let upload = Upload(
      id: Hex.encode(SystemRandom.bytes(8)), length: length, file: try SpoolFile(in: folder), lastUse: now())
    dropOld()
    let isTaken = state.change { state in
      guard state.bySession[session] != nil || state.bySession.count < Self.most else { return false }
      state.bySession[session] = upload
      return true
    }
    guard isTaken else { throw BackupUploadError.tooMany }
    return upload.id
  }

  /// Takes the next part.
  /// - Parameter offset: where it belongs in the file: where the part before it ended.
  /// - Returns: how many bytes have arrived.
  /// - Throws: `BackupUploadError`, which leaves the upload as it was; `BackupError.io`, which ends it.
  package func take(_ part: [UInt8], at offset: Int64, of id: String, in session: String) throws -> Int64 {
    let upload = try use(id, session) { upload throws(BackupUploadError) in
      guard offset == upload.received else { throw .outOfOrder(expected: upload.received) }
      guard (1...Self.longestPart).contains(part.count), Int64(part.count) <= upload.length - upload.received else {
        throw .partLength
      }
    }
    if let code = append(upload.file, part) {
      drop(id, in: session)
      throw BackupError.io("writing what was sent", code: code)
    }
    return endUse(id, session) { $0.received += Int64(part.count) }?.received ?? offset + Int64(part.count)
  }

  /// Reads a file that has arrived whole. One is read at a time.
  /// - Parameter body: gets a path that is valid during the call.
  /// - Throws: `BackupUploadError`, and what `body` throws.
  package func read<Result>(_ id: String, in session: String, _ body: (_ path: String) throws -> Result) throws -> Result {
    let upload = try use(id, session, reading: true) { upload throws(BackupUploadError) in
      let missing = upload.length - upload.received
      guard missing == 0 else { throw .incomplete(missing: missing) }
    }
    defer {
      state.change { $0.isChecking = false }
      endUse(id, session) { _ in }
    }
    return try body(upload.file.path)
  }

  /// Ends an upload of that session. One that is being read ends after that.
  package func drop(_ id: String, in session: String) {
    state.change { state in if state.bySession[session]?.id == id { state.bySession[session] = nil } }
  }

  /// Ends the upload of a session that is over.
  package func drop(session: String) { state.change { $0.bySession[session] = nil } }

  /// Ends all.
  package func dropAll() { state.change { $0.bySession = [:] } }

  /// Ends those whose parts stopped coming.
  package func dropOld() {
    let oldest = now() - Self.idleMilliseconds
    state.change { state in state.bySession = state.bySession.filter { $0.value.isInUse || $0.value.lastUse > oldest } }
  }

  /// How many there are.
  package var count: Int { state.withLock { $0.bySession.count } }

  /// Claims an upload for one use.
  private func use(
    _ id: String, _ session: String, reading: Bool = false, _ check: (Upload) throws(BackupUploadError) -> Void
  ) throws -> Upload {
    dropOld()
    let time = now()
    let claimed: Result<Upload, BackupUploadError> = state.change { state in
      guard var upload = state.bySession[session], upload.id == id else { return .failure(.gone) }
      guard !upload.isInUse else { return .failure(reading ? .isChecking : .outOfOrder(expected: upload.received)) }
      do throws(BackupUploadError) { try check(upload) } catch { return .failure(error) }
      if reading {
        guard !state.isChecking else { return .failure(.isChecking) }
        state.isChecking = true
      }
      (upload.isInUse, upload.lastUse) = (true, time)
      state.bySession[session] = upload
      return .success(upload)
    }
    return try claimed.get()
  }

  /// - Returns: the upload as it is now; nil if it ended meanwhile.
  @discardableResult
  private func endUse(_ id: String, _ session: String, _ change: (inout Upload) -> Void) -> Upload? {
    let time = now()
    return state.change { state in
      guard var upload = state.bySession[session], upload.id == id else { return nil }
      (upload.isInUse, upload.lastUse) = (false, time)
      change(&upload)
      state.bySession[session] = upload
      return upload
    }
  }
}
