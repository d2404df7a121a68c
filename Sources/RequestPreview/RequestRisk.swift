package import RemoteSigning

/// How closely the owner should look at a request before answering it. `RequestConcern` says why.
package enum RequestRisk: Sendable, Equatable {
  /// An everyday use of the key.
  case usual
  /// Something that the rules of medium trust ask about, a login, or reading a message; and every use of a key that asks for its owner.
  case careful
  /// Something that costs money, removes or replaces what cannot be brought back, speaks for the key itself, or is unknown. It is answered
  /// alone.
  case grave

  /// As far as the request itself says it.
  package init(_ request: PendingRequest) { self = RequestConcern(request, needsPresence: false)?.risk ?? .usual }
}
