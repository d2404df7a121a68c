package import RemoteSigning

/// How closely the owner should look at a request before answering it. `RequestConcern` says why.
package enum RequestRisk: Sendable, Equatable {
  /// An everyday use of the key.
  case usual
  /// Something that the rules of medium trust ask about, a login, or reading a message.
  case careful
  /// Something that costs money, removes or replaces what others rely on, speaks for the key itself, or is unknown; and every use
  /// of a key that asks for its owner. It is answered alone.
  case grave

  /// - Parameter needsPresence: whether the key is opened for one use only.
  package init(_ request: PendingRequest, needsPresence: Bool) {
    self = RequestConcern(request, needsPresence: needsPresence)?.risk ?? .usual
  }
}
