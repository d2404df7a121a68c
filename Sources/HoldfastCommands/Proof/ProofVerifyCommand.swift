import AuditLog
import CommandLine
import Encodings
import JSON
import OwnerAPI
import Platform
import ResponseTexts
import TerminalUI

/// `holdfast proof verify`: needs neither a vault nor a signer.
enum ProofVerifyCommand: ProgramCommand {
  static let place = Command(
    "verify", "Check a proof from a log, on any machine",
    discussion: """
      Checks what the console saves under "Prove it", or what 'holdfast log prove N --out FILE' writes: that the sealed entry is in \
      the log whose head was signed. It needs no vault and no signer. What the entry says stays encrypted. The exit code is 0 \
      for a sound proof, and 1 for another.
      """,
    arguments: [Argument("file", "The proof, or - for standard input", completion: .file)],
    options: [
      .value("key", "KEY", "The key that signs the log, as 'holdfast log key' prints it. Get it from the log's owner"),
      SharedOptions.json,
    ],
    shared: SharedOptions.helpOnly,
    examples: [
      Example("holdfast proof verify holdfast-entry-7.proof.json --key 'holdfast.local/log/…'", "a proof that somebody gave you")
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let proof = try ProofFile(line.needed("file"))
    let checked = try proof.checked(byKey: line.value("key"))
    guard line.has("json") else {
      Output.line(text(checked))
      return checked.isSound ? .done : .failed
    }
    return Output.line(checked.json) && checked.isSound ? .done : .failed
  }

  static func text(_ checked: ProofChecked) -> String {
    let log = shown(checked.log)
    if let fault = checked.fault { return "The proof is not sound: \(shown(fault)). The log would be \(log)." }
    let claim =
      checked.from.map {
        "the log \(log) has \(checked.size) entries and still begins with the \($0) whose root is \(shown(checked.fromRoot))"
      }
      ?? "entry \(checked.sequence ?? 0) is one of the \(checked.size) entries of the log \(log)"
    let remark =
      checked.isOwnKey
      ? "\nThe key came with the proof. Compare it with what the log's owner gets from 'holdfast log key', and give that with --key."
      : ""
    let entry =
      checked.from == nil ? " What the entry says is not in the proof: the log's owner reads it with 'holdfast log show'." : ""
    return "The proof is sound: \(claim). The head is signed.\(entry)\(remark)"
  }
}

extension Noun {
  static let proof = Noun(
    "proof", "Proofs from a log", commands: [ProofVerifyCommand.self])
}
