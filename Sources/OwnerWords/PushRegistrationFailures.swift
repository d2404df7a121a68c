package import OwnerAPI
package import PushRegistration

extension OperationError {
  /// Why a device cannot be registered at a push proxy, as sentences.
  package init(_ error: PushRegistrationError) {
    switch error {
    case .proxyMalformed:
      self.init(
        .usage, "A push proxy's address is https://HOST or https://HOST:PORT, without a path. http:// is for this machine only.")
    case .deviceMalformed:
      self.init(
        .usage, "The device is not a Web Push subscription as JSON, a UnifiedPush address, or an Apple device token in hex.",
        hint: "For this machine: holdfast wake subscription --public-url URL")
    case .isTrial: self.init(.failed, "A trial is not registered at a push proxy: its keys end with it.")
    }
  }
}
