internal import Curve
internal import JSON
internal import OwnerAPI
internal import SecretMemory
internal import Signer
internal import Vault

/// The parameters of one operation, each read with the complaint that names it.
struct Parameters {
  private let value: JSONValue
  private let secrets: [String: SecretBox]
  /// How the owner asked.
  let channel: OwnerChannel

  init(_ request: ControlRequest, via channel: OwnerChannel) {
    (value, secrets, self.channel) = (request.parameters, request.secrets, channel)
  }

  init(_ value: JSONValue, secrets: [String: SecretBox], channel: OwnerChannel) {
    (self.value, self.secrets, self.channel) = (value, secrets, channel)
  }

  func text(_ name: String) throws -> String {
    guard let text = value[name]?.string, !text.isEmpty else { throw OperationError.usage("“\(name)” is missing.") }
    return text
  }

  /// Nil when it is missing, null or empty. Another type is a mistake: what was meant is not what is usual.
  func optionalText(_ name: String) throws -> String? {
    guard let found = value[name], !found.isNull else { return nil }
    guard let text = found.string else { throw OperationError.usage("“\(name)” must be a text.") }
    return text.isEmpty ? nil : text
  }

  func optionalInteger(_ name: String) throws -> Int64? {
    guard let found = value[name], !found.isNull else { return nil }
    guard let integer = found.integer, integer >= 0 else { throw OperationError.usage("“\(name)” must be a whole number.") }
    return integer
  }

  /// False when it is missing or null.
  func flag(_ name: String) throws -> Bool {
    guard let found = value[name], !found.isNull else { return false }
    guard let flag = found.bool else { throw OperationError.usage("“\(name)” must be true or false.") }
    return flag
  }

  /// None when it is missing or null.
  func texts(_ name: String) throws -> [String] {
    guard let found = value[name], !found.isNull else { return [] }
    guard let list = found.array, list.allSatisfy({ $0.string != nil }) else {
      throw OperationError.usage("“\(name)” must be a list of texts.")
    }
    return list.compactMap(\.string)
  }

  /// A secret that came beside the parameters, never inside them.
  func secret(_ name: String) -> SecretBox? { secrets[name] }

  /// The credential that came along.
  var call: OperationCall { OperationCall(ControlRequest("", value, secrets: secrets), via: channel) }
  /// All of them, as an object.
  var object: JSONValue { value }
  /// Every secret that came beside them.
  var allSecrets: [String: SecretBox] { secrets }

  subscript(_ name: String) -> JSONValue? { value[name] }
}

// For the nouns whose handlers read parameters still.
extension Operations {
  func presence(_ given: Parameters, isNeededFor classes: [ProtectionClass]) throws -> HeldPresence? {
    try presence(given.call, isNeededFor: classes)
  }

  func keysForOneUse(_ given: Parameters, of wanted: [PublicKey]) throws -> [PublicKey: KeyPair] {
    try keysForOneUse(given.call, of: wanted)
  }
}
