import CommandLine
import JSON
import LocalAccess
import OwnerAPI
import ResponseTexts

/// `holdfast recovery test`
enum RecoveryTestCommand: OwnerCommand {
  typealias Operation = RecoveryTest

  static let place = Command(
    "test", "Test that shares restore, without showing what they hold",
    discussion: """
      Does what a restore on a new machine does, then deletes the result. For a kit of the vault: makes a backup, restores it \
      with the shares into a private folder, opens it and reads every key. For a kit of one identity: restores the key into a \
      new vault in that folder and compares it. Nothing is shown, and only the date of the test is kept.
      """,
    arguments: [RecoveryArguments.shareFiles],
    options: [
      .value("npub", "NPUB", "The npub that the shares must give, for a kit of an identity that is not in this vault"),
      .value("account", "N", "Which account of the words"),
      SharedOptions.recoveryCode, SharedOptions.hidden,
    ],
    examples: [
      Example("holdfast recovery test", "asks for the shares one by one"),
      Example("holdfast recovery test share-1.txt share-4.txt share-5.txt", "reads them from files"),
      Example("holdfast recovery test kit/*.html", "reads the sheets before they are printed"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RecoveryTest.Request {
    var request = RecoveryTest.Request()
    request.npub = line.value("npub")
    request.account = try IdentityArguments.account(line)
    return request
  }

  /// Nobody types words for a kit that is not there.
  static func check(_ line: Invocation) throws(CommandError) {
    guard areSharesTyped(line), !line.has("npub"), let result = try askDaemonWhole(RecoveryList.call(Nothing()), home(line)),
      try RecoveryList.answer(result).kits.isEmpty
    else { return }
    throw CommandError(
      .notFound, "This vault has no recovery kit.",
      hint: "To make one: holdfast recovery create. To test a kit of another vault, give the npub from its sheet with --npub.")
  }

  static func complete(_ request: inout RecoveryTest.Request, _ line: Invocation) throws(CommandError) {
    request.shares = try KitShares(line, takesRivals: false, asksForCode: false)
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    // Without a signer, the passphrase is asked for once and not again with the code.
    let opener = NextSteps.signerRuns(line) ? nil : SlotRotate.call(try credential(line))
    let result = try askingForCode(request.shares, line) { (shares: KitShares) throws(CommandError) in
      var request = request
      request.shares = shares
      let call = RecoveryTest.call(request)
      guard let opener else { return try performWhole(call, line) }
      let secrets = call.secrets.merging(opener.secrets) { shares, _ in shares }
      let members = (call.parameters.members ?? []) + (opener.parameters.members ?? [])
      return try performWhole(ControlRequest(call.operation, .object(members), secrets: secrets), line)
    }
    return try show(result, line)
  }

  static func text(_ answer: RecoveryTest.Response, _ reader: Reader) -> String {
    let what = answer.restores == "vault" ? "open this vault" : "give the key of \(shown(answer.restores))"
    let note = answer.isNoted ? "" : " This vault does not know the kit, but it works."
    let bound =
      answer.without.isEmpty
      ? "" : " No kit of the vault restores keys that are bound to this device: \(list(answer.without))."
    return """
      These shares of kit \(shown(answer.kit)) \(what). This was tried in a temporary folder, which is gone again. Only the \
      date of this test was kept.\(note)\(bound)
      """
  }
}
