import Identities
import JSON
import OwnerAPI
import RemoteSigning
import Vault

extension IdentityDraft {
  /// The given details.
  func details() throws(OperationError) -> IdentityDetails {
    var changes = IdentitySet.Request()
    if let colour { changes.colour = .to(colour) }
    if let emoji { changes.emoji = .to(emoji) }
    if let notes { changes.notes = .to(notes) }
    changes.relays = .to(relays)
    return try changes.details(over: IdentityDetails())
  }
}

extension IdentitySet.Request {
  /// The old details, with the given ones replaced.
  func details(over old: IdentityDetails) throws(OperationError) -> IdentityDetails {
    var details = old
    do throws(DetailError) {
      if case .to(let colour) = colour { details.set(colour: try colour.map { text throws(DetailError) in try Colour(text) }) }
      if case .to(let emoji) = emoji { try details.set(emoji: emoji ?? "") }
      if case .to(let notes) = notes { try details.set(notes: notes ?? "") }
      if case .to(let relays) = relays { try details.set(relays: Self.checked(relays ?? [])) }
    } catch { throw OperationError(error) }
    return details
  }

  /// The relays in the spelling of `RelayURL`.
  private static func checked(_ texts: [String]) throws(DetailError) -> [String] {
    var relays: [String] = []
    for (index, text) in texts.enumerated() {
      guard let relay = RelayURL(text) else { throw DetailError.notARelay(index: index) }
      relays.append(relay.text)
    }
    return relays
  }
}

extension OperationError {
  /// An error of a colour, emoji, relay or note.
  init(_ fault: DetailError) {
    switch fault {
    case .notOneEmoji: self.init(.usage, "That is not one emoji.", hint: "For example: --emoji 🦊")
    case .notARelay(let index):
      self.init(
        .usage, "Relay number \(index + 1) is not a relay address.", hint: "An address looks like wss://relay.example.com")
    case .tooManyRelays(let limit): self.init(.usage, "An identity has at most \(limit) relays.")
    case .notesTooLong(let limit): self.init(.usage, "Notes have at most \(limit) bytes.")
    case .notAColour:
      self.init(
        .usage, "That is not a colour.", hint: "Give #rrggbb, or one of: " + Colour.named.map(\.name).joined(separator: " "))
    }
  }
}
