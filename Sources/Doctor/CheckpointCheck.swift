import AuditLog
import OwnerOperations
import OwnerWords
import Signer

extension CheckpointFile {
  /// The finding of `doctor` about the checkpoint. Changes nothing.
  func finding(_ home: Home) -> Finding {
    let seen: Seen
    do throws(AuditLogError) { seen = try look(atLogIn: home) } catch {
      return .warning(
        "checkpoint", "The log could not be compared with the checkpoint “\(path)”.", advice: "See the findings about the log.")
    }
    switch seen {
    case .fits: return .good("checkpoint", "The log continues from the checkpoint “\(path)”.")
    case .nothing:
      return .warning(
        "checkpoint", "There is no checkpoint at “\(path)” yet.",
        advice: "A signer with --checkpoint writes it each minute. If there was one before, somebody removed it.")
    case .unreadable(let why):
      return .warning(
        "checkpoint", "The checkpoint “\(path)” could not be read: \(why).", advice: "Check that its disk is mounted.")
    case .differs(let sentence): return .bad("checkpoint", sentence, advice: Self.advice(path))
    }
  }
}
