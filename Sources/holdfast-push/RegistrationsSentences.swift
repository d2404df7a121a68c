import CommandLine
import Platform
import PushProxy
import TerminalUI

extension CommandError {
  /// Why registrations cannot be used.
  /// - Parameter folder: where they are, or were to be.
  init(_ fault: RegistrationsError, folder: String) {
    let shown = printable(folder, limit: 300)
    switch fault {
    case .inUse(let pid) where pid > 0:
      self.init(
        .failed, "Another push proxy (process \(pid)) uses the data folder \(shown).",
        hint: "Stop that one, or choose another folder: --data DIR")
    case .inUse:
      self.init(
        .failed, "Another program uses the data folder \(shown).", hint: "Stop it, or choose another folder: --data DIR")
    case .noRegistrations:
      self.init(
        .notFound, "\(shown) has no push.sqlite, so there is nothing to copy.",
        hint: "Name the folder that the proxy uses: --data DIR")
    case .io(let step, let code):
      self.init(ExitCode(file: code), "\(Self.what(step, shown)): \(systemMessage(code)).", hint: Self.hint(code))
    default: self.init(.failed, fault.message)
    }
  }

  private static func what(_ step: RegistrationsError.Step, _ folder: String) -> String {
    switch step {
    case .making: "push.sqlite could not be made in \(folder)"
    case .locking: "The data folder \(folder) could not be locked"
    case .opening, .reading: "push.sqlite in \(folder) could not be read"
    case .writing, .syncing: "push.sqlite in \(folder) could not be written"
    }
  }

  private static func hint(_ code: Int32) -> String {
    switch code {
    case ENOENT: "Make the folder above it first, or choose another: --data DIR"
    case ENOTDIR: "A part of its path is a file. Choose another folder: --data DIR"
    case EACCES, EPERM: "Give the folder to the user that runs the proxy (chown, chmod 700), or choose another: --data DIR"
    case EROFS: "Its file system cannot be written. Choose another folder: --data DIR"
    case ENOSPC, EDQUOT: "Free some space on that disk, or choose another folder: --data DIR"
    default: "Check the folder and its disk, or choose another: --data DIR"
    }
  }
}
