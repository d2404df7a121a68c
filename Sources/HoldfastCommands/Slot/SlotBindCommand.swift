import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast slot bind`
enum SlotBindCommand: PlannedCommand {
  typealias Operation = SlotBind

  static let place = Command(
    "bind", "Bind the vault to the device it lies on now",
    discussion: """
      For a home folder that was copied from another machine, or lost its device.key. Classes that end in this-device-only are bound \
      to the device.key and the id of the machine they were made on: what was kept under them cannot be opened here, is named, and \
      is removed when you accept that. Then those classes can be used again. If the other machine is still there, use it, or move \
      its keys to another class there.

      A copy of the whole folder has device.key, too: against that the binding is not enforced here, unless the machine's TPM 2.0 \
      seals it. A new vault's is sealed where there is a TPM that you may use (group tss; libtss2-esys and libtss2-tcti-device). For \
      an older vault say --tpm: a new device.key is made and sealed, and everything bound to the device is sealed anew, so that an \
      older copy of device.key opens nothing of it. Show together what opens all of it, as for 'slot rotate'. A disk may keep old \
      blocks of the old vault and device.key. Before the TPM is cleared, or the disk moves to another machine: --no-tpm.

      $HOLDFAST_TPM names another TPM (device:/dev/tpmrm1, or swtpm:path=SOCKET for one of software, which binds to no machine), or \
      none. Anything else is refused.

      Where a TPM is there and fails, no key is given up for it: mend that first, or say --tpm or --no-tpm to give them up all the same.
      """,
    options: [
      .flag("tpm", "Have this machine's TPM seal a new device.key; nothing is lost"),
      .flag("no-tpm", "Make a new device.key that no TPM seals; nothing is lost"), SharedOptions.yes, SharedOptions.acceptLoss,
    ],
    examples: [
      Example("holdfast slot bind", "names what would be lost, if anything, and asks"),
      Example("holdfast slot bind --tpm", "a copy of the folder gives no key of this device any more"),
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
    guard let done = answer.done, done.isChanged else { return "The vault is bound to this device already." }
    let binding = done.binding.isEmpty ? "" : " Against a copy of the whole folder: \(printable(done.binding))."
    return (["The vault is bound to this device.\(binding)"] + SlotText.lost(done.lost)).joined(separator: "\n")
  }
}
