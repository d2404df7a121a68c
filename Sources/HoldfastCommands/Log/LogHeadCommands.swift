import CommandLine
import OwnerAPI

/// `holdfast log key`
enum LogKeyCommand: OwnerCommand {
  typealias Operation = LogKey

  static let place = Command("key", "Show the key that the log's heads are checked with")

  static func text(_ answer: LogKey.Response, _ reader: Reader) -> String { shown(answer.verifierKey) }
}

/// `holdfast log checkpoint`
enum LogCheckpointCommand: OwnerCommand {
  typealias Operation = LogCheckpoint

  static let place = Command(
    "checkpoint", "Show the signed head of the log",
    discussion: "Kept elsewhere, it shows later whether the log was put back from an older copy.",
    examples: [Example("holdfast log checkpoint > monday.txt", "to compare with later")])

  // The lines as the signer wrote them.
  static func text(_ answer: LogCheckpoint.Response, _ reader: Reader) -> String { answer.checkpoint }
}
