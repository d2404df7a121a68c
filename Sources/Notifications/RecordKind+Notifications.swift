package import Vault

extension RecordKind {
  /// A browser or phone that gets Web Push.
  package static let pushSubscription = RecordKind(15, "push subscription", validity: .untilPutBack)
  /// The key this daemon shows to push services (VAPID), 32 bytes. A restored vault makes another.
  package static let pushKey = RecordKind(16, "push key", isSecret: true, validity: .untilRestored)
}

extension RecordKinds {
  /// Those of notifications.
  package static let ofNotifications: [RecordKind] = [.pushSubscription, .pushKey]
}
