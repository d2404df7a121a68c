import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast slot rotate`
enum SlotRotateCommand: OwnerCommand {
  typealias Operation = SlotRotate

  static let place = Command(
    "rotate", "Make new class keys in the vault and seal everything again",
    discussion: """
      Use it after you removed a slot because somebody else may have what opens it. That person may also have a copy of the \
      vault and its keys. Everything in the vault, now and later, is sealed under new keys. Your slots stay as they are. \
      Classes that nothing you give can open keep their old keys, and the command names them. Give several ways to open the \
      vault to rotate more. A recovery kit opens what passkeys open, except keys bound to this device. In the console you can \
      use a passkey together with the passphrase.
      """,
    examples: [
      Example("holdfast slot rotate", "asks for the passphrase"),
      Example("holdfast slot rotate --passphrase-file pass --shares-file shares.txt", "also what passkeys open"),
      Example("holdfast slot rotate --passphrase-file pass --token --pin-file pin", "also what the token opens"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Credential { Credential() }

  static func complete(_ request: inout Credential, _ line: Invocation) throws(CommandError) { request = try credential(line) }

  static func text(_ answer: SlotRotate.Response, _ reader: Reader) -> String {
    var lines = ["New keys, everything sealed again: \(SlotText.classes(answer.rotated))."]
    if !answer.reasons.isEmpty { lines.append("Not changed:") }
    lines += answer.reasons.map { "  \(SlotText.className($0.protection.rawValue)): \(ours($0.reason))" }
    return lines.joined(separator: "\n")
  }
}

/// `holdfast slot enrol`
enum SlotEnrolCommand: OwnerCommand {
  typealias Operation = SlotEnrol

  static let place = Command(
    "enrol", "Let today's passkeys open keys of the class biometric-required",
    discussion: """
      Keys of the class biometric-required open only with the passkeys that existed when they were sealed, while this machine \
      has the same fingers enrolled. When a passkey or a finger is added or removed, these keys close. The recovery kit opens \
      them for the passkeys that exist now. Keys that only passkeys open can also be opened with a passphrase or a token, so a \
      new finger cannot destroy them.
      """,
    options: [.flag("discard", "Delete for good what nothing opens any more, so the class can be used again")],
    examples: [Example("holdfast slot enrol --shares-file shares.txt", "with enough shares of the recovery kit, one per line")])

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
      answer.enrolled.isEmpty ? "Nothing was closed." : "Today's passkeys open: \(SlotText.classes(answer.enrolled))."
    return answer.closed.isEmpty
      ? done : done + "\nStill closed, because the recovery kit has no key for it: \(SlotText.classes(answer.closed))."
  }
}
