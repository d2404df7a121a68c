package import Vault

extension RecordKind {
  /// The push proxy and the device that the owner named.
  package static let pushPlan = RecordKind(42, "push plan", validity: .untilRestored)
  /// A key of the signer at a push proxy: what the proxy acknowledged, and what it is asked next.
  package static let pushRegistration = RecordKind(43, "push registration", validity: .untilRestored)
}

extension RecordKinds {
  /// Those of registrations at a push proxy.
  package static let ofPushRegistration: [RecordKind] = [.pushPlan, .pushRegistration]
}
