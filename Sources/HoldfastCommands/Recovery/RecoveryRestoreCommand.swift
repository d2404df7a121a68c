import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast recovery restore`
enum RecoveryRestoreCommand: OwnerCommand {
  typealias Operation = RecoveryRestore

  static let place = Command(
    "restore", "Open a vault without its passphrase, or restore one key, from shares",
    discussion: """
      Without --identity: opens this vault with the shares and sets a new passphrase. The old passphrases no longer open it. \
      With --identity: adds the key that the shares give to this vault, under that name. To start on a new machine from a \
      backup, see 'holdfast backup restore'.

      Shares do not say which key they are for. The same 33 words can be a key, or the entropy of 24 words with a key for each \
      account, and a wrong recovery code gives another key. --npub, with the npub from the sheet, finds the right one; if none \
      fits, nothing is stored. Without --npub you see what the shares give and confirm it; scripts pass --yes.
      """,
    arguments: [RecoveryArguments.shareFiles],
    options: [
      .value("identity", "NAME", "Restore one identity's key from its kit, under this name"),
      .value("npub", "NPUB", "The npub that the shares must give, as on the sheet"),
      .flag("words", "The shares hold the entropy of words, not a key"),
      .value("account", "N", "Which account of the words (default: the one of the first thousand that gives the npub)"),
      SharedOptions.recoveryCode,
      .flag("yes", "Store the key without asking, if the shares can give only one"),
      .value(
        "new-passphrase-file", "FILE", "Read the new passphrase from a file (default: ask on the terminal)", completion: .file),
      SharedOptions.hidden,
    ],
    examples: [
      Example("holdfast recovery restore", "asks for the shares one by one, then for a new passphrase"),
      Example("holdfast recovery restore --identity alice --npub npub1…", "restores this key and no other"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RecoveryRestore.Request {
    var request = RecoveryRestore.Request()
    (request.name, request.npub) = (line.value("identity"), line.value("npub"))
    (request.areWords, request.isAccepted) = (line.has("words"), line.has("yes"))
    request.account = try IdentityArguments.account(line)
    return request
  }

  static func complete(_ request: inout RecoveryRestore.Request, _ line: Invocation) throws(CommandError) {
    // Of one key, any code gives some key: without an npub to compare with, nothing tells that the code is missing.
    request.shares = try KitShares(line, takesRivals: true, asksForCode: request.name != nil && request.npub == nil)
    if request.name == nil {
      if Terminal.isInput, !line.has("new-passphrase-file") {
        Output.warning("Choose a new passphrase. The old one will not open the vault any more.")
      }
      request.newPassphrase = try newPassphrase(line)
    }
    guard request.name != nil, Terminal.isInput, !line.has("json"), !line.has("yes") else { return }
    try KeyQuestion.ask(&request, line)
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    // Of one key, the question for the key has asked for the code.
    guard request.name == nil || line.has("yes") else { return try show(try performWhole(Operation.call(request), line), line) }
    let result = try askingForCode(request.shares, line) { (shares: KitShares) throws(CommandError) in
      var request = request
      request.shares = shares
      return try performWhole(Operation.call(request), line)
    }
    return try show(result, line)
  }

  static func text(_ answer: RecoveryRestore.Response, _ reader: Reader) -> String {
    guard answer.restored != "vault" else {
      return
        "The vault now opens with the new passphrase and no longer with the old one. The kit still opens it, too."
        + leftOut(answer.leftOut)
    }
    let name = shown(answer.restored)
    let proof =
      answer.isCompared == false ? " It was not compared with a sheet; you confirmed that it is the right one." : ""
    return "The key is restored under the name \(name): \(shown(answer.npub)).\(proof)" + leftOut(answer.leftOut)
  }

  static func next(_ answer: RecoveryRestore.Response, _ line: Invocation) -> String? {
    answer.restored == "vault"
      ? "Backups that you have open with the old passphrase, or with the kit. Make a new one: holdfast backup create FILE"
        + (NextSteps.signerRuns(line) ? "" : "\nNext, start the signer: holdfast up")
      : "Next: \(NextSteps.signerRuns(line) ? "" : "start the signer (holdfast up), and ")give an app a link: holdfast pair --identity \(shown(answer.restored))"
  }

  /// Shares that did not belong to the others.
  private static func leftOut(_ shares: [Int64]) -> String {
    guard !shares.isEmpty else { return "" }
    let numbers = shares.map(String.init)
    let subject = numbers.count == 1 ? "Share \(numbers[0]) was" : "Shares \(numbers.joined(separator: ", ")) were"
    return "\n\(subject) ignored: forged, or from another kit."
  }
}
