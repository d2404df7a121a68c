import Ciphers
import Encodings
import Platform
import SecretMemory

// `device.key` (0600), for docs/FORMATS.md: 32 random bytes, in no backup; or the same, sealed by a chip (SealedDeviceKey.swift).
// Machine id: the text of /etc/machine-id without its line feed; nothing where there is none.
//   device binding  HMAC-SHA256(the 32 bytes, "holdfast device 2\0" ‖ machine id), mixed into each wrap of a class of this device;
//                   of sealed ones with "holdfast device 2 sealed\0": a plain secret that somebody sealed binds nothing
//   device tag      HMAC-SHA256(device binding, "holdfast device tag 2\0" ‖ vault id), in the header

/// What distinguishes a machine from others: its id, and a chip if there is one.
struct Machine: Sendable {
  let id: [UInt8]
  let sealer: (any DeviceSealer)?

  init(id: [UInt8], sealer: (any DeviceSealer)? = nil) { (self.id, self.sealer) = (id, sealer) }

  /// The machine this runs on.
  static func current(sealing sealer: (any DeviceSealer)?) -> Machine {
    let text = (try? HomeFolder.read("/etc/machine-id", count: 64)) ?? []
    return Machine(id: Array(text.prefix { $0 != 0x0a }), sealer: sealer)
  }
}

/// What keeps classes of this device on this device: a secret beside the vault, and the machine's own id.
///
/// A plain secret does not help against whoever copies the whole folder and knows the id; one that a chip sealed does.
struct DeviceSecret: Sendable {
  static let length = 32
  /// 32 bytes.
  let binding: SecretBox
  /// Whether the machine's chip opened it, just now.
  let isSealed: Bool

  /// - Parameter secret: 32 bytes.
  init(_ secret: borrowing SecretBytes, on machine: Machine, isSealed: Bool) throws(VaultError) {
    let context = Array((isSealed ? "holdfast device 2 sealed\0" : "holdfast device 2\0").utf8) + machine.id
    self.isSealed = isSealed
    binding = try secret.withBytes { (bytes) throws(VaultError) in
      try vaultFault(.outOfMemory) {
        SecretBox(
          try SecretBytes(count: 32) { (target) throws(Never) in
            var code = HMACSHA256(key: bytes)
            context.withUnsafeBytes { code.update($0) }
            code.finish(into: target)
          })
      }
    }
  }

  /// Identifies the device that a vault's classes of this device belong to. Reveals nothing else.
  func tag(vaultID: [UInt8]) -> Bytes32 {
    let context = Array("holdfast device tag 2\0".utf8) + vaultID
    return binding.withBytes { key in context.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }
  }

  func binds(_ mark: DeviceMark) -> Bool { tag(vaultID: mark.vaultID) == mark.tag }
}
