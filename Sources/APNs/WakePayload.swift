package import Curve
package import Encodings
package import JSON
package import Nostr

/// What wakes a signer on an Apple device, in the form that Clave's app reads: where the request is, which one it is, and for whom. The
/// request itself is enclosed where there is room. The alert is blank: the device's extension replaces it by what it did.
package struct WakePayload: Sendable {
  /// The most bytes that Apple takes.
  package static let maximumLength = 4_096
  /// The longest event, in bytes of JSON, that is enclosed.
  package static let longestEnclosed = 3_415

  /// Where the event can be fetched.
  let relay: String
  /// Whom the request is for.
  let signer: PublicKey
  /// The event's id.
  let id: Bytes32
  /// The event itself; nil to have it fetched.
  let event: Event?

  /// - Parameters:
  ///   - relay: where the event can be fetched, as the client named it.
  ///   - id: of the event.
  ///   - event: of kind 24133, checked; nil to have it fetched.
  ///   - signer: whom it is for.
  package init(relay: String, id: Bytes32, event: Event?, signer: PublicKey) {
    (self.relay, self.id, self.event, self.signer) = (relay, id, event, signer)
  }

  /// The JSON to send. Without room for the event it is left out: the device fetches it.
  /// - Throws: `.tooLong`, for an address of some thousand bytes.
  package func bytes() throws(APNsError) -> [UInt8] {
    if let json = event?.json(), json.count <= Self.longestEnclosed {
      let whole = bytes(enclosing: json)
      if whole.count <= Self.maximumLength { return whole }
    }
    let short = bytes(enclosing: nil)
    guard short.count <= Self.maximumLength else { throw .tooLong }
    return short
  }

  private func bytes(enclosing event: [UInt8]?) -> [UInt8] {
    var writer = JSONWriter(reserving: Self.maximumLength)
    writer.beginObject()
    writer.key("aps")
    writer.raw(Self.aps)
    writeMembers(enclosing: event, to: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// Writes what signers on all devices read: where the request is, which one it is, for whom, and perhaps the request itself.
  /// - Parameter event: its JSON; nil to leave it out.
  package func writeMembers(enclosing event: [UInt8]?, to writer: inout JSONWriter) {
    writer.key("relay_url")
    writer.string(relay)
    writer.key("event_id")
    id.withUnsafeBytes { writer.hex($0) }
    writer.key("signer_pubkey")
    signer.bytes.withUnsafeBytes { writer.hex($0) }
    if let event {
      writer.key("event")
      event.withUnsafeBytes { writer.raw($0) }
    }
  }

  private static let aps: StaticString =
    #"{"mutable-content":1,"interruption-level":"passive","alert":{"title":" ","body":" "}}"#
}
