import Ciphers
import Encodings
public import SecretMemory

// Parameters of a passkey slot, for docs/FORMATS.md: 1 (1) · PRF input (32) · length of the credential's id (2), then it · a note for
// whoever made the slot, to the end. S = HKDF-Extract(salt: "holdfast passkey slot 2" ‖ credential id, input: the PRF's output).

/// What a passkey slot's parameters say.
public struct PasskeyParameters: Sendable, Equatable {
  /// The longest id of a credential, in bytes (WebAuthn, section 4: credential id).
  public static let maximumCredentialLength = 800
  /// What the PRF is asked for next, 32 bytes.
  public let input: [UInt8]
  /// The credential's id.
  public let credential: [UInt8]
  /// What else its maker wrote down: relying party, transports.
  public let note: [UInt8]

  /// Parameters for a new slot.
  public init(input: [UInt8], credential: [UInt8], note: [UInt8] = []) {
    (self.input, self.credential, self.note) = (input, credential, note)
  }

  /// - Returns: nil when these are no passkey's parameters.
  public init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard reader.byte() == 1, let input = reader.take(32), let length: UInt16 = reader.integer(),
      (1...Self.maximumCredentialLength).contains(Int(length)), let credential = reader.take(Int(length))
    else { return nil }
    self.init(input: Array(input), credential: Array(credential), note: Array(bytes.dropFirst(35 + Int(length))))
  }

  /// The bytes in the slot. Input and credential must have their lengths.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [1]
    bytes += input
    bytes.append(bigEndian: UInt16(clamping: credential.count))
    return bytes + credential + note
  }
}

/// Opens a slot by the output of a passkey's PRF, evaluated over the slot's input with the user verified.
public struct PasskeyOpener: SlotOpener {
  private let credential: [UInt8]
  private let output: SecretBox

  /// The type of slots it may fit.
  public var type: SlotType { .passkey }

  /// - Parameters:
  ///   - credential: id of the credential that was used.
  ///   - output: 32 bytes.
  public init(credential: [UInt8], output: SecretBox) { (self.credential, self.output) = (credential, output) }

  /// - Throws: `.vault(.outOfMemory)`.
  public func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == .passkey, PasskeyParameters(slot.parameters)?.credential == credential else { return nil }
    return try Self.secret(output, credential)
  }

  fileprivate static func secret(_ output: SecretBox, _ credential: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    try keyStoreFault { () throws(VaultError) in
      try output.withBytes { input throws(VaultError) in
        try extractKey(salt: Array("holdfast passkey slot 2".utf8) + credential, input)
      }
    }
  }
}

extension SlotEnrolment {
  /// A slot for a passkey.
  /// - Parameter output: of the PRF over `parameters.input`, 32 bytes.
  public static func passkey(_ parameters: PasskeyParameters, output: SecretBox) throws(KeyStoreError) -> SlotEnrolment {
    guard (1...PasskeyParameters.maximumCredentialLength).contains(parameters.credential.count) else {
      throw .vault(.tooLong(limit: PasskeyParameters.maximumCredentialLength))
    }
    guard parameters.input.count == 32, output.count == 32 else { throw .corrupt("passkey") }
    return SlotEnrolment(
      type: .passkey, parameters: parameters.bytes, secret: try PasskeyOpener.secret(output, parameters.credential))
  }
}
