import Encodings

/// One way into the vault: parameters of how its secret is made, a public key that follows from the secret, and each class key it
/// is entitled to, sealed to that public key.
struct Keyslot: Equatable {
  /// A class key, sealed to the slot (ClassWrap.swift).
  struct Wrap: Equatable {
    /// Raw value of the class; may be one that this version does not know.
    let protection: UInt8
    let ephemeral: Bytes32
    /// 32 bytes and a tag of 16.
    let sealed: [UInt8]
  }

  static let maximumParameters = 1024
  let id: UInt32
  /// Raw value of `SlotType`; may be one that this version does not know.
  let type: UInt8
  /// The header's generation when the slot's keys were made.
  let generation: UInt64
  let parameters: [UInt8]
  /// Shows whether a secret is the slot's.
  var commitment = Bytes32()
  /// X25519; class keys are sealed to it without the secret.
  var publicKey = Bytes32()
  /// The slot's authentication key, sealed under the afterFirstUnlock class key: nonce (24) ‖ key and tag (48).
  var authentication = [UInt8](repeating: 0, count: 72)
  /// In rising order of the classes.
  var wraps: [Wrap] = []
  /// Over all of the above but `authentication`, under the authentication key.
  var code = Bytes32()
  /// The slot's guard key, sealed under the whenUnlocked class key: nonce (24) ‖ key and tag (48). Zeros for a keyring.
  var guardKey = [UInt8](repeating: 0, count: 72)
  /// Over the wraps of all classes but afterFirstUnlock, under the guard key: those of any device, and those of this one.
  var guardCodes = [Bytes32(), Bytes32()]

  init(id: UInt32, type: UInt8, generation: UInt64, parameters: [UInt8]) {
    (self.id, self.type, self.generation, self.parameters) = (id, type, generation, parameters)
  }

  init?(from reader: inout ByteReader) {
    guard let id: UInt32 = reader.integer(), let type = reader.byte(), let generation: UInt64 = reader.integer(),
      let length: UInt16 = reader.integer(), length <= Self.maximumParameters, let parameters = reader.take(Int(length)),
      let commitment = reader.bytes32(), let publicKey = reader.bytes32(), let authentication = reader.take(72),
      let count = reader.byte(), (1...VaultHeader.maximumClasses).contains(Int(count))
    else { return nil }
    self.init(id: id, type: type, generation: generation, parameters: Array(parameters))
    (self.commitment, self.publicKey, self.authentication) = (commitment, publicKey, Array(authentication))
    for _ in 0..<count {
      guard let protection = reader.byte(), protection > wraps.last?.protection ?? 0, let ephemeral = reader.bytes32(),
        let sealed = reader.take(48)
      else { return nil }
      wraps.append(Wrap(protection: protection, ephemeral: ephemeral, sealed: Array(sealed)))
    }
    guard let code = reader.bytes32(), let guardKey = reader.take(72), let base = reader.bytes32(),
      let device = reader.bytes32()
    else { return nil }
    (self.code, self.guardKey, guardCodes) = (code, Array(guardKey), [base, device])
  }

  func write(to bytes: inout [UInt8]) {
    writeIdentity(to: &bytes)
    bytes += commitment.array + publicKey.array + authentication
    writeWraps(to: &bytes)
    bytes += code.array + guardKey + guardCodes[0].array + guardCodes[1].array
  }

  /// What the slot is, without what was made from its secret: all its keys are made for it alone.
  func writeIdentity(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: id)
    bytes.append(type)
    bytes.append(bigEndian: generation)
    bytes.append(bigEndian: UInt16(parameters.count))  // at most 1024
    bytes += parameters
  }

  /// Whether it opens more than what stays open, and so has a guard key.
  var isGuarded: Bool { type != SlotType.keyring.rawValue }

  /// What a guard code is over.
  /// - Parameter version: of the header. The code covers it, so that a header cannot be passed off as an older one that had no strict summary.
  func guardedBytes(_ vaultID: [UInt8], ofThisDevice: Bool, version: UInt32) -> [UInt8] {
    let flag: UInt8 = ofThisDevice ? 16 : 0
    let guarded = wraps.filter { $0.protection & 16 == flag && $0.protection & 15 != ProtectionClass.afterFirstUnlock.rawValue }
    let label = version >= VaultHeader.firstStrictVersion ? "holdfast slot guard 3\0" : "holdfast slot guard 2\0"
    var bytes = Array(label.utf8) + context(vaultID) + commitment.array + publicKey.array + [flag]
    for wrap in guarded { bytes += [wrap.protection] + wrap.ephemeral.array + wrap.sealed }
    return bytes
  }

  /// What the code is over.
  func codedBytes(_ vaultID: [UInt8]) -> [UInt8] {
    var bytes = Array("holdfast slot wraps 2\0".utf8) + context(vaultID) + commitment.array + publicKey.array
    writeWraps(to: &bytes)
    return bytes
  }

  /// The vault and the slot's identity: bound into every key and seal of the slot.
  func context(_ vaultID: [UInt8]) -> [UInt8] {
    var bytes = vaultID
    writeIdentity(to: &bytes)
    return bytes
  }

  var description: SlotDescription? {
    SlotType(rawValue: type).map { SlotDescription(id: id, type: $0, parameters: parameters) }
  }

  func wrap(of protection: ProtectionClass) -> Wrap? { wraps.first { $0.protection == protection.rawValue } }

  mutating func set(_ wrap: Wrap) {
    wraps.removeAll { $0.protection == wrap.protection }
    wraps.append(wrap)
    wraps.sort { $0.protection < $1.protection }
  }

  mutating func drop(_ protection: ProtectionClass) { wraps.removeAll { $0.protection == protection.rawValue } }

  private func writeWraps(to bytes: inout [UInt8]) {
    bytes.append(UInt8(wraps.count))  // at most 16
    for wrap in wraps { bytes += [wrap.protection] + wrap.ephemeral.array + wrap.sealed }
  }
}
