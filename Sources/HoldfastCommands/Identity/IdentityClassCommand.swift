import CommandLine
import OwnerAPI

/// `holdfast identity class`
enum IdentityClassCommand: IdentityCommand {
  typealias Operation = IdentityClass

  static let place = Command(
    "class", "Say when an identity's key can be used",
    discussion: """
      Seals the key, and the words it came from, under another class. after-first-unlock stays usable while locked; when-unlocked does \
      not; device-passcode, biometric-any, biometric-required and biometric-or-passcode want you to show that you are there for each \
      use. With ,this-device-only behind it the key is left out of every backup and does not open where device.key and the machine's id \
      are others. That keeps it from a copy of the vault alone. Against a copy of the whole folder by somebody who knows the machine's id \
      it is not enforced here, unless this machine's TPM seals device.key: see 'holdfast slot bind --help'.
      """,
    arguments: [IdentityArguments.name, Argument("class", "The class")],
    examples: [Example("holdfast identity class alice device-passcode", "each use of alice wants the passphrase")])

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
