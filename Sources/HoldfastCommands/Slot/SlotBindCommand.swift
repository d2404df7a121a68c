import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast slot bind`
enum SlotBindCommand: PlannedCommand {
  typealias Operation = SlotBind

  static let place = Command(
    "bind", "Bind the vault to this device",
    discussion: """
      Use it for a home that was copied from another machine or that lost its device.key. Classes that end in this-device-only \
      are bound to the device.key and the machine id of the machine they were made on. Keys of these classes cannot be opened \
      here. The command names them and removes them if you accept their loss; then these classes can be used again. If you \
      still have the other machine, use it, or move its keys to another class there first.

      A copy of the whole home includes device.key. The binding protects against such a copy only if the machine's TPM 2.0 \
      seals device.key. A new vault uses the TPM if your user may (group tss; libtss2-esys and libtss2-tcti-device). For an \
      older vault, use --tpm: it makes and seals a new device.key and seals everything that is bound to the device again, so \
      an older copy of device.key opens none of it. Give everything that is needed to open those keys, as for 'slot rotate'. A \
      disk may keep old blocks of the old vault and device.key. Before you clear the TPM or move the disk to another machine, \
      use --no-tpm.

      $HOLDFAST_TPM names another TPM: device:/dev/tpmrm1, or swtpm:path=SOCKET for a software TPM, which binds to no machine, \
      or none. Other values are refused.

      If there is a TPM and it fails, no key is given up: fix the TPM first. To give the keys up anyway, use --tpm or \
      --no-tpm.
      """,
    options: [
      .flag("tpm", "Make a new device.key that this machine's TPM seals; nothing is lost"),
      .flag("no-tpm", "Make a new device.key that no TPM seals; nothing is lost"), SharedOptions.yes, SharedOptions.acceptLoss,
    ],
    examples: [
      Example("holdfast slot bind", "names what would be lost, if anything, and asks"),
      Example("holdfast slot bind --tpm", "a copy of the home no longer opens keys of this device"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotBind.Request {
    var request = SlotBind.Request()
    if line.has("tpm"), line.has("no-tpm") { throw .exclude(option: "tpm", other: "no-tpm") }
    if line.has("tpm") { request.isSealedByTPM = true } else if line.has("no-tpm") { request.isSealedByTPM = false }
    request.isLossAccepted = line.has("accept-loss")
    return request
  }

  static func complete(_ request: inout SlotBind.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  // Sealing removes nothing. If it would, the operation requires --accept-loss.
  static func isPlannedFirst(_ line: Invocation) -> Bool { !line.has("tpm") && !line.has("no-tpm") }

  static func plan(_ request: SlotBind.Request) -> SlotBind.Request {
    var request = request
    request.isPlan = true
    return request
  }

  static func question(_ answer: SlotBind.Response, _ now: Int64) -> String? {
    guard let plan = answer.plan, plan.isNeeded, plan.loses != nil else { return nil }
    return (SlotText.loses(plan.loses) + ["Bind the vault to this device?"]).joined(separator: "\n")
  }

  static func accepted(_ request: SlotBind.Request, _ answer: SlotBind.Response) -> SlotBind.Request {
    var request = request
    if answer.plan?.loses != nil { request.isLossAccepted = true }
    return request
  }

  static func text(_ answer: SlotBind.Response, _ reader: Reader) -> String {
    guard let done = answer.done, done.isChanged else { return "The vault is already bound to this device." }
    let binding = done.binding.isEmpty ? "" : " Against a copy of the whole home: \(printable(done.binding))."
    return (["The vault is bound to this device.\(binding)"] + SlotText.lost(done.lost)).joined(separator: "\n")
  }
}
