import Ciphers
import Platform
public import SecretMemory
public import Vault

/// Opens token slots with the token and its PIN.
public struct TokenOpener: SlotOpener {
  /// The type of token slots.
  public var type: SlotType { .token }

  private let token: TokenURI?
  private let module: String?
  private let pin: SecretBox?
  private let pamCheck: PAMCheck?
  /// The error of the PIN. A wrong PIN is not shown to another slot, where it would count again.
  private let refused = Locked<KeyStoreError?>(nil)
  private let told = Locked(Told())

  private struct Told {
    var absences: [TokenAbsence] = []
    var refusing: TokenURI?
    var isMeant = false
    var isForNoSlot = false
  }

  /// The slots whose token was missing or failed in the last attempt on a vault.
  public var absences: [TokenAbsence] { told.withLock { $0.absences } }
  /// The token that refused the PIN; nil if none did.
  public var refusing: TokenURI? { told.withLock { $0.refusing } }

  /// Whether there were token slots, and none of them for the given token.
  public var isForNoSlot: Bool { told.withLock { $0.isForNoSlot } }

  /// - Parameters:
  ///   - token: try only slots of tokens that match it; nil for any.
  ///   - module: the path of a driver to use instead of the stored one; nil for that.
  ///   - pin: as typed; nil for a token with a keypad.
  ///   - pamCheck: performs the PAM check that a slot may require. Nil when nobody can answer it; slots with a check then stay
  ///     closed.
  public init(token: TokenURI? = nil, module: String? = nil, pin: SecretBox?, pamCheck: PAMCheck? = nil) {
    (self.token, self.module, self.pin, self.pamCheck) = (token, module, pin, pamCheck)
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
    try PAMCheck.pass(parameters.pamService, pamCheck)
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

  /// The driver to load: the one that the owner gave; otherwise the stored one, if only the administrator can have put it there;
  /// otherwise p11-kit's.
  static func module(_ parameters: TokenParameters, named: String?) -> TokenModule {
    if let named { return .named(named) }
    return parameters.module.isEmpty ? .configured : .stored(parameters.module)
  }
}
