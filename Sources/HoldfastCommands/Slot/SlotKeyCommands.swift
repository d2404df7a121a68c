import CommandLine
import OwnerAPI

/// `holdfast slot rotate`
enum SlotRotateCommand: OwnerCommand {
  typealias Operation = SlotRotate

  static let place = Command(
    "rotate", "Make new keys inside the vault and seal everything anew",
    discussion: """
      For when a slot was removed because somebody else may have what opens it: he may have a copy of the vault, too, and its \
      keys from it. What is in the vault now, and what comes, is sealed under new keys. Your slots stay as they are. What nothing \
      opens that you show keeps its keys, and is named. Show several ways at once to change more: a recovery kit has what a \
      passkey opens, but for what is bound to this device; in the console a passkey can be shown beside the passphrase.
      """,
    examples: [
      Example("holdfast slot rotate", "asks for the passphrase"),
      Example("holdfast slot rotate --passphrase-file pass --shares-file shares.txt", "what passkeys open, too"),
      Example("holdfast slot rotate --passphrase-file pass --token --pin-file pin", "the token's slot gets new keys, too"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Credential { Credential() }

  static func complete(_ request: inout Credential, _ line: Invocation) throws(CommandError) { request = try credential(line) }

  static func text(_ answer: SlotRotate.Response, _ reader: Reader) -> String {
    var lines = ["New keys, everything sealed anew: \(SlotText.classes(answer.rotated))."]
    if !answer.reasons.isEmpty { lines.append("Kept as it was:") }
    lines += answer.reasons.map { "  \(SlotText.className($0.protection.rawValue)): \(shown($0.reason))" }
    return lines.joined(separator: "\n")
  }
}

/// `holdfast slot enrol`
enum SlotEnrolCommand: OwnerCommand {
  typealias Operation = SlotEnrol

  static let place = Command(
    "enrol", "Let the present passkeys open what needs the present passkeys and fingers",
    discussion: """
      What is kept under biometric-required opens with the passkeys that were there at the time, while the fingers enrolled on this \
      machine are those of then. After a passkey or a finger was added or removed it is closed, and opens again when the recovery kit \
      gives it to the passkeys there are now. What only the passkeys have opens again when you show a passphrase or a token: \
      no finger can destroy it.
      """,
    options: [.flag("discard", "Remove for good what nobody can open any more, so that the class can be used again")],
    examples: [Example("holdfast slot enrol --shares-file shares.txt", "with enough shares of the recovery kit, one a line")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotEnrol.Request {
    var request = SlotEnrol.Request()
    request.isDiscarding = line.has("discard")
    return request
  }

  static func complete(_ request: inout SlotEnrol.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: SlotEnrol.Response, _ reader: Reader) -> String {
    let done =
      answer.enrolled.isEmpty ? "Nothing was closed." : "The present passkeys open: \(SlotText.classes(answer.enrolled))."
    return answer.closed.isEmpty
      ? done : done + "\nStays closed, because the recovery kit has no key for it: \(SlotText.classes(answer.closed))."
  }
}
