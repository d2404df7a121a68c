package import Unlocking
internal import Vault

/// The TPM that seals what binds keys to this device, as the program was started. One for the process: while it hangs in one call, the
/// next do not wait for it, too.
package enum DeviceChip {
  package static let sealer = TPMSealer.here()
}
