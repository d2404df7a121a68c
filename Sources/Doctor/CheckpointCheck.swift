import AuditLog
import OwnerOperations
import Signer

extension CheckpointFile {
  /// What `doctor` says of it. Changes nothing.
  func finding(_ home: Home) -> Finding {
    let seen: Seen
    do throws(AuditLogError) { seen = try look(atLogIn: home) } catch {
      return .warning(
        "checkpoint", "The log could not be compared with the checkpoint “\(path)”.", advice: "See what is said of the log.")
    }
    switch seen {
    case .fits: return .good("checkpoint", "The log goes on from the checkpoint “\(path)”.")
    case .nothing:
      return .warning(
        "checkpoint", "There is no checkpoint at “\(path)” yet.",
        advice: "A signer that runs with --checkpoint writes it each minute. If there was one, somebody took it away.")
    case .unreadable(let why):
      return .warning("checkpoint", "The checkpoint “\(path)” cannot be read: \(why).", advice: "Is its disk there?")
    case .differs(let sentence): return .bad("checkpoint", sentence, advice: Self.advice(path))
    }
  }
}
