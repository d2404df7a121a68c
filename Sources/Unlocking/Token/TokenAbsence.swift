import CToken
public import Vault

/// A token slot that could not be tried, and what the driver showed instead.
public struct TokenAbsence: Sendable, Equatable {
  /// What a driver shows.
  public struct View: Sendable, Equatable {
    /// The number of slots, with or without a token. For a person, a slot is a reader.
    public let slots: Int
    /// The initialised tokens, as `pkcs11:` URIs.
    public let tokens: [TokenURI]
  }

  /// The slot of the vault.
  public let slot: UInt32
  /// The token of that slot.
  public let token: TokenURI
  /// The path of the driver; nil for those in p11-kit's configuration.
  public let module: String?
  /// Why it could not be tried.
  public let reason: KeyStoreError
  /// What the driver shows. Nil when it failed, or could not be loaded or started.
  public let seen: View?

  /// Asks the driver what it shows, without a login.
  /// - Parameter module: a driver that the owner gave instead of the stored one.
  init(of slot: UInt32, _ parameters: TokenParameters, module named: String?, _ reason: KeyStoreError) {
    (self.slot, token, self.reason) = (slot, parameters.token, reason)
    module = named ?? (parameters.module.isEmpty ? nil : parameters.module)
    // A driver that failed is not asked again: it might take as long again without an answer.
    if case .deviceFailed = reason {
      seen = nil
      return
    }
    let device = TokenDevice(uri: nil, module: TokenOpener.module(parameters, named: named), pin: nil)
    do throws(KeyStoreError) { seen = try device.view() } catch { seen = nil }
  }
}

extension TokenDevice {
  /// What the drivers show.
  func view() throws(KeyStoreError) -> TokenAbsence.View {
    try drive { (driver) throws(KeyStoreError) in
      let view = try driver.view()
      let tokens = try view.tokens.map { token throws(KeyStoreError) in try TokenURI(of: token.info) }
      return TokenAbsence.View(slots: view.slots, tokens: tokens)
    }
  }
}
