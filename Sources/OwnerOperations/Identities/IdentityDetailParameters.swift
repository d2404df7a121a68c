internal import Identities
internal import JSON
internal import OwnerAPI
internal import RemoteSigning
internal import Vault

extension Parameters {
  /// The details that were given, put over those that are there. An empty text or null takes one away.
  func details(over old: IdentityDetails = IdentityDetails()) throws -> IdentityDetails {
    var details = old
    let (colour, emoji, notes) = (try given("colour"), try given("emoji"), try given("notes"))
    let relays = self["relays"] == nil ? nil : try texts("relays")
    do throws(DetailError) {
      if let colour { details.set(colour: colour.isEmpty ? nil : try Colour(colour)) }
      if let emoji { try details.set(emoji: emoji) }
      if let notes { try details.set(notes: notes) }
      if let relays { try details.set(relays: Self.checked(relays)) }
    } catch { throw OperationError(error) }
    return details
  }

  /// The class that was named; nil when none was.
  func protection() throws -> ProtectionClass? {
    guard let name = try optionalText("class") else { return nil }
    guard let found = ProtectionClass(name: name) else {
      throw OperationError.usage(
        "There is no class of that name.", hint: "One of: " + ProtectionClass.allCases.map(\.name).joined(separator: " "))
    }
    return found
  }

  /// Nil when it is not there; empty for null.
  private func given(_ name: String) throws -> String? {
    guard self[name] != nil else { return nil }
    return try optionalText(name) ?? ""
  }

  /// As `RelayURL` writes them.
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
  /// A fault of a colour, emoji, relay or note.
  init(_ fault: DetailError) {
    switch fault {
    case .notOneEmoji: self.init(.usage, "That is not one emoji.", hint: "For example: --emoji 🦊")
    case .notARelay(let index):
      self.init(
        .usage, "Relay number \(index + 1) is no address of a relay.", hint: "It looks like wss://relay.example.com")
    case .tooManyRelays(let limit): self.init(.usage, "At most \(limit) relays are kept with an identity.")
    case .notesTooLong(let limit): self.init(.usage, "Notes have at most \(limit) bytes.")
    case .notAColour:
      self.init(
        .usage, "That is no colour.", hint: "Write #rrggbb, or one of: " + Colour.named.map(\.name).joined(separator: " "))
    }
  }
}
