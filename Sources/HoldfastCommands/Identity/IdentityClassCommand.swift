import CommandLine
import OwnerAPI

/// `holdfast identity class`
enum IdentityClassCommand: IdentityCommand {
  typealias Operation = IdentityClass

  static let place = Command(
    "class", "Set when an identity's key can be used",
    discussion: """
      Seals the key, and the words it came from, under another class. after-first-unlock: apps can use the key while the \
      signer is locked. when-unlocked: only while it is unlocked. device-passcode, biometric-any, biometric-required and \
      biometric-or-passcode: you prove your presence for each use.

      With ,this-device-only after the class, backups leave the key out, and it does not open without this home's device.key \
      and this machine's id. This protects a copy of the vault alone. It does not protect a copy of the whole home against \
      somebody who knows the machine's id, unless this machine's TPM seals device.key: see 'holdfast slot bind --help'.
      """,
    arguments: [
      IdentityArguments.name,
      Argument("class", "The class, such as after-first-unlock or device-passcode", completion: .names("classes")),
    ],
    examples: [Example("holdfast identity class alice device-passcode", "each use of alice's key asks for the passphrase")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityClass.Request {
    var request = IdentityClass.Request()
    request.identity = IdentityName(line.needed("name"))
    request.protection = try IdentityArguments.protection(line.needed("class"))
    return request
  }

  static func complete(_ request: inout IdentityClass.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }
}
