import Nostr

// How much of the queue an app may take.

extension PendingRequest {
  /// What requests of one app have in common that count as one towards `maximumPerClient`: twenty notes are one thing to the owner, who
  /// answers them together.
  struct Likeness: Hashable {
    let method: Method
    /// Nil for encryption and decryption.
    let kind: Int?
  }

  /// Nil for a request that counts alone, because the owner has to look at it alone: serious kinds, logins, and what would read the
  /// identity's own notes. It is decided without reading the event, since a flood asks for it again and again.
  var likeness: Likeness? {
    guard rule != .firstUse else { return nil }
    guard method == .signEvent else { return RequestFacts.readsOwn(self) ? nil : Likeness(method: method, kind: nil) }
    guard let kind, KindTable.care(for: kind) == .usual else { return nil }
    return Likeness(method: method, kind: kind)
  }

  /// Whether the app may have this request waiting, too. Its first requests have places of their own, whatever other apps ask for. More of
  /// them take places that are left over.
  /// - Parameters:
  ///   - own: the app's requests that wait.
  ///   - held: how many requests of all apps wait.
  func fits(beside own: [PendingRequest], held: Int) -> Bool {
    guard own.count >= Self.maximumPerClient else { return held < Self.maximumHeld }
    guard held < Self.maximumHeldWithAlike else { return false }
    let kinds = own.map(\.likeness)
    if let likeness, kinds.contains(likeness) { return kinds.count { $0 == likeness } < Self.maximumAlike }
    return Set(kinds.compactMap { $0 }).count + kinds.count { $0 == nil } < Self.maximumPerClient
  }
}
