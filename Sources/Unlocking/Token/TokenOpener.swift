internal import Ciphers
internal import Platform
public import SecretMemory
public import Vault

/// Opens token slots: the token's PIN, and the token itself.
public struct TokenOpener: SlotOpener {
  /// Token.
  public var type: SlotType { .token }

  private let token: TokenURI?
  private let module: String?
  private let pin: SecretBox?
  private let gate: PAMCheck?
  /// What came of the PIN: a wrong one is shown to no further slot, where it would count again.
  private let refused = Locked<KeyStoreError?>(nil)
  private let told = Locked(Told())

  private struct Told {
    var absences: [TokenAbsence] = []
    var refusing: TokenURI?
    var isMeant = false
    var isForNoSlot = false
  }

  /// The slots whose token was not there, or failed, the last time this was tried on a vault.
  public var absences: [TokenAbsence] { told.withLock { $0.absences } }
  /// The token that refused the PIN; nil when none did.
  public var refusing: TokenURI? { told.withLock { $0.refusing } }

  /// Whether slots of tokens were looked at, and none of the token that is meant.
  public var isForNoSlot: Bool { told.withLock { $0.isForNoSlot } }

  /// - Parameters:
  ///   - token: only slots of tokens that it means; nil for any.
  ///   - module: the path of the driver in place of the stored one; nil for that.
  ///   - pin: as typed; nil for a token with a keypad.
  ///   - gate: answers a PAM gate in front of the slot; nil when nobody can, and slots with a gate stay shut.
  public init(token: TokenURI? = nil, module: String? = nil, pin: SecretBox?, gate: PAMCheck? = nil) {
    (self.token, self.module, self.pin, self.gate) = (token, module, pin, gate)
  }

  /// See `SlotOpener`.
  public func secret(of slot: SlotDescription) throws(KeyStoreError) -> SecretBytes? {
    guard slot.type == .token else { return nil }
    let parameters = try TokenParameters(slot.parameters)
    if let token, try !token.covers(parameters.token) {
      told.withLock { $0.isForNoSlot = !$0.isMeant }
      return nil
    }
    told.withLock { ($0.isMeant, $0.isForNoSlot) = (true, false) }
    if let fault = refused.withLock({ $0 }) { throw fault }
    try PAMCheck.pass(parameters.gate, gate)
    do throws(KeyStoreError) {
      let device = TokenDevice(uri: parameters.token, module: Self.module(parameters, named: module), pin: pin)
      let box = try device.use { (driver, _) throws(KeyStoreError) in SecretBox(try Self.open(parameters, driver)) }
      return try SlotWrap.copy(box)
    } catch {
      if case .authenticationFailed = error {
        refused.withLock { $0 = error }
        told.withLock { $0.refusing = parameters.token }
      } else {
        note(TokenAbsence(of: slot.id, parameters, module: self.module, error))
      }
      throw error
    }
  }

  private func note(_ absence: TokenAbsence) {
    told.withLock { told in
      told.absences.removeAll { $0.slot == absence.slot }
      told.absences.append(absence)
    }
  }

  static func open(_ parameters: TokenParameters, _ driver: TokenDriver) throws(KeyStoreError) -> SecretBytes {
    let wrapping: SecretBox
    switch parameters.method {
    case .agreement(let point): wrapping = SecretBox(try driver.agree(parameters.keyID, with: point))
    case .decryption(let box): wrapping = SecretBox(try driver.decrypt(box, with: parameters.keyID))
    }
    return try SlotWrap.open(
      parameters.sealed, key: wrapping, domain: TokenParameters.domain, bound: parameters.bound, what: "the token slot")
  }

  /// The driver to load: what the owner named, else the stored one when only the administrator can have put it there, else p11-kit's.
  static func module(_ parameters: TokenParameters, named: String?) -> TokenModule {
    if let named { return .named(named) }
    return parameters.module.isEmpty ? .configured : .stored(parameters.module)
  }
}
