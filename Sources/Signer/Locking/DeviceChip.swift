package import Unlocking
import Vault

/// The TPM that seals the device secret, as configured when the program started. There is one for the process: while it hangs in
/// one call, further calls do not wait for it as well.
package enum DeviceChip {
  package static let sealer = TPMSealer.here()
}
