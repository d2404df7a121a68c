/// Reads the parameters of slots, for the fuzzer. Must not trap.
package enum SlotParametersInput {
  /// - Returns: for parameters that were taken, their bytes written again; nil for what is refused.
  package static func rewritten(token bytes: [UInt8]) -> [UInt8]? { (try? TokenParameters(bytes))?.bytes }

  /// - Returns: as above.
  package static func rewritten(keyring bytes: [UInt8]) -> [UInt8]? { (try? KeyringParameters(bytes))?.bytes }
}
