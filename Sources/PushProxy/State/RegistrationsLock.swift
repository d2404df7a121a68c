import Platform

extension Registrations {
  /// The process that uses a data folder. Nothing is changed.
  /// - Returns: its id, or 0 when it is not known; nil for nobody.
  package static func holder(of folder: String) -> Int32? { ProcessLock.holder(of: folder + "/" + ProcessLock.name) }
}

extension ProcessLock {
  fileprivate static let name = "push.lock"

  /// The lock of a proxy's data folder, in its file `push.lock`.
  /// - Parameter folder: is made with mode 0700 when it is not there; its parent must be.
  /// - Throws: `.inUse`, `.io`.
  static func ofRegistrations(in folder: String) throws(RegistrationsError) -> ProcessLock {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .io(.making, code: errno) }
    do throws(ProcessLock.Fault) { return try ProcessLock(folder + "/" + name) } catch {
      switch error {
      case .inUse(let pid): throw .inUse(pid: pid)
      case .notOpened(let code), .notLocked(let code): throw .io(.locking, code: code)
      }
    }
  }
}
