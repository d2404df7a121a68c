import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast log key`
enum LogKeyCommand: OwnerCommand {
  typealias Operation = LogKey

  static let place = Command("key", "Show the public key that checks the log's signed heads")

  static func text(_ answer: LogKey.Response, _ reader: Reader) -> String { shown(answer.verifierKey) }
}

/// `holdfast log checkpoint`
enum LogCheckpointCommand: OwnerCommand {
  typealias Operation = LogCheckpoint

  static let place = Command(
    "checkpoint", "Show the signed head of the log",
    discussion: "Keep it elsewhere. It shows later whether the log was replaced by an older copy.",
    examples: [Example("holdfast log checkpoint > monday.txt", "keep it for a later comparison")])

  // The lines as the signer wrote them.
  static func text(_ answer: LogCheckpoint.Response, _ reader: Reader) -> String { answer.checkpoint }
}
