internal import CToken
public import Vault

/// A token slot that could not be tried, and what there was to see instead.
public struct TokenAbsence: Sendable, Equatable {
  /// What a driver shows.
  public struct View: Sendable, Equatable {
    /// How many slots, which are readers to a person, with or without a token in them.
    public let slots: Int
    /// The tokens that are set up, as `pkcs11:` URIs.
    public let tokens: [TokenURI]
  }

  /// The slot of the vault.
  public let slot: UInt32
  /// The token it is for.
  public let token: TokenURI
  /// The path of the driver that was asked; nil for those of p11-kit's configuration.
  public let module: String?
  /// Why it could not be tried.
  public let reason: KeyStoreError
  /// What the driver shows; nil when it failed, or could not be loaded or started.
  public let seen: View?

  /// Looks what its driver shows, without a login.
  /// - Parameter module: the driver that the owner named in place of the stored one.
  init(of slot: UInt32, _ parameters: TokenParameters, module named: String?, _ reason: KeyStoreError) {
    (self.slot, token, self.reason) = (slot, parameters.token, reason)
    module = named ?? (parameters.module.isEmpty ? nil : parameters.module)
    // One that failed is not asked again: it might take as long again to say nothing.
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
