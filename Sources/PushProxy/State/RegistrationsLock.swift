import Platform

extension ProcessLock {
  /// The lock of a proxy's data folder, in its file `push.lock`.
  /// - Parameter folder: is made with mode 0700 when it is not there; its parent must be.
  /// - Throws: `.inUse`, `.io`.
  static func ofRegistrations(in folder: String) throws(RegistrationsError) -> ProcessLock {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .io(.making, code: errno) }
    do throws(ProcessLock.Fault) { return try ProcessLock(folder + "/push.lock") } catch {
      switch error {
      case .inUse(let pid): throw .inUse(pid: pid)
      case .notOpened(let code), .notLocked(let code): throw .io(.locking, code: code)
      }
    }
  }
}
