public import SecretMemory

/// A chip of this machine that seals a secret so that no other chip opens it.
public protocol DeviceSealer: Sendable {
  /// Where it is, for people: `/dev/tpmrm0`.
  var place: String { get }
  /// Whether that is a chip that the kernel knows, and not a program that says it is one.
  var isOfThisMachine: Bool { get }
  /// Returns within a limit of its own.
  /// - Parameter secret: 32 bytes.
  /// - Returns: at most `SealedDeviceKey.maximumContents` bytes, which only this chip opens.
  func seal(_ secret: SecretBox) throws(DeviceSealError) -> [UInt8]
  /// Returns within a limit of its own.
  /// - Parameter sealed: what `seal` gave, or anything that lay in its place.
  /// - Returns: 32 bytes.
  func unseal(_ sealed: [UInt8]) throws(DeviceSealError) -> SecretBytes
}

/// Why a sealed device secret does not open.
public enum DeviceSealError: Error, Sendable, Equatable {
  /// There is no TPM here, or it was not asked for.
  case noChip
  /// There is one, but this user may not use it.
  case notPermitted
  /// Its library is not installed.
  case noLibrary
  /// It did not answer in time.
  case noAnswer
  /// It is there, and the connection to it failed or broke off, with the connection's own code.
  case brokenOff(code: UInt32)
  /// What names the chip cannot be read, so that it is not known which one is meant.
  case misnamed
  /// Another TPM sealed it, or this one before it was cleared.
  case anotherChip
  /// The file is not what was written.
  case damaged
  /// The file was written by a later version of this program.
  case newerVersion
  /// The TPM refused, with its own code.
  case refused(code: UInt32)
}

/// What keeps the classes of this device on this device.
public enum DeviceBinding: Sendable, Equatable {
  /// The device secret here is another one: the classes belong to another device, or the secret was replaced.
  case elsewhere
  /// One that is not here: nothing has its name.
  case missing
  /// A file beside the vault: whoever copies the folder has it.
  case file
  /// A chip, which opened the secret since the vault was opened.
  /// - Parameters:
  ///   - place: as `DeviceSealer.place`.
  ///   - isOfThisMachine: as `DeviceSealer.isOfThisMachine`.
  case chip(place: String, isOfThisMachine: Bool)
  /// A chip, which did not open it.
  case closed(DeviceSealError)
}
