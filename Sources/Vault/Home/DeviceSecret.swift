internal import Ciphers
internal import Encodings
import Glibc
internal import SecretMemory

// `device.key` (0600), for docs/FORMATS.md: 32 random bytes, in no backup. Machine id: the text of /etc/machine-id without its line
// feed; nothing where there is none.
//   device binding  HMAC-SHA256(device.key, "holdfast device 2\0" ‖ machine id), mixed into each wrap of a class of this device
//   device tag      HMAC-SHA256(device binding, "holdfast device tag 2\0" ‖ vault id), in the header

/// What a machine id is read from.
struct Machine: Sendable {
  let id: [UInt8]

  init(id: [UInt8]) { self.id = id }

  /// The machine this runs on.
  static var current: Machine {
    let text = (try? HomeFolder.read("/etc/machine-id", count: 64)) ?? []
    return Machine(id: Array(text.prefix { $0 != 0x0a }))
  }
}

/// What keeps classes of this device on this device: a secret beside the vault, and the machine's own id.
///
/// Not against who copies the whole folder and knows the id: no chip seals either.
struct DeviceSecret: Sendable {
  static let length = 32
  /// 32 bytes.
  let binding: SecretBox

  /// - Returns: nil when there is no `device.key`, or one of another length.
  init?(in folder: HomeFolder, on machine: Machine) throws(VaultError) {
    guard HomeFolder.exists(folder.deviceKey) else { return nil }
    var bytes = try HomeFolder.read(folder.deviceKey, count: Self.length + 1)
    defer { wipe(&bytes) }
    guard bytes.count == Self.length else { return nil }
    try self.init(bytes, machine)
  }

  /// Takes the secret that is there, or makes one. It is on the disk when this returns.
  init(makingIn folder: HomeFolder, on machine: Machine) throws(VaultError) {
    if let found = try DeviceSecret(in: folder, on: machine) {
      self = found
      return
    }
    let temporary = folder.deviceKey + ".new"
    unlink(temporary)  // left by a crash
    var bytes = SystemRandom.bytes(Self.length)
    defer { wipe(&bytes) }
    do throws(VaultError) {
      try HomeFolder.makeFile(temporary, holding: bytes)
      guard rename(temporary, folder.deviceKey) == 0 else { throw VaultError.io("renaming the device secret", code: errno) }
      try HomeFolder.sync(folder.path)
    } catch {
      unlink(temporary)
      throw error
    }
    try self.init(bytes, machine)
  }

  private init(_ bytes: [UInt8], _ machine: Machine) throws(VaultError) {
    let context = Array("holdfast device 2\0".utf8) + machine.id
    binding = try vaultFault(.outOfMemory) {
      SecretBox(
        try SecretBytes(count: 32) { (target) throws(Never) in
          bytes.withUnsafeBytes { key in
            var code = HMACSHA256(key: key)
            context.withUnsafeBytes { code.update($0) }
            code.finish(into: target)
          }
        })
    }
  }

  /// Says of which device a vault's classes of this device are, and not more.
  func tag(vaultID: [UInt8]) -> Bytes32 {
    let context = Array("holdfast device tag 2\0".utf8) + vaultID
    return binding.withBytes { key in context.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }
  }
}
