/// Why a device cannot be registered at a push proxy. No case contains an address or a key.
package enum PushRegistrationError: Error, Sendable, Hashable {
  /// The proxy's address is neither `https://` nor, for this machine, `http://`; or it has a path.
  case proxyMalformed
  /// The device is neither a Web Push subscription, nor a UnifiedPush address, nor an Apple device token.
  case deviceMalformed
  /// A trial's keys end with it.
  case isTrial
}
