/// Reads the parameters of slots, for the fuzzer. Must not trap.
package enum SlotParametersInput {
  /// - Returns: for accepted parameters, their bytes encoded again; nil for refused input.
  package static func rewritten(token bytes: [UInt8]) -> [UInt8]? { (try? TokenParameters(bytes))?.bytes }

  /// - Returns: the same for keyring parameters.
  package static func rewritten(keyring bytes: [UInt8]) -> [UInt8]? { (try? KeyringParameters(bytes))?.bytes }
}
