import Platform

extension ProcessLock {
  /// The lock that one listener of a vault has, in the folder's file `wake.lock`.
  static func ofListener(in folder: String) throws(WakeListeningError) -> ProcessLock {
    do throws(ProcessLock.Fault) { return try ProcessLock(folder + "/" + WakeFiles.lock) } catch {
      switch error {
      case .inUse(let pid): throw .inUse(pid: pid)
      case .notOpened(let code), .notLocked(let code): throw .io(code: code)
      }
    }
  }
}
