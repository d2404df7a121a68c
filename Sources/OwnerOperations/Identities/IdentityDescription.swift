internal import Curve
internal import Identities
internal import JSON
internal import Nostr
internal import Signer
internal import Vault

extension Operations {
  /// An identity as the owner's surfaces show it. Nothing here needs a key.
  func describe(_ identity: Identity) -> JSONValue {
    let details = identity.details
    let sharing = core.identities.all.filter {
      $0.words != nil && $0.words == identity.words && $0.publicKey != identity.publicKey
    }
    return .object([
      .init("name", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)),
      .init("pubkey", .string(identity.publicKey.hex)),
      .init("default", .bool(identity.publicKey == core.identities.defaultIdentity?.publicKey)),
      .init("origin", .string(identity.origin.name)), .init("created", .integer(identity.createdAt)),
      .init("class", .string(identity.protection.name)), .init("retired", .bool(identity.isRetired)),
      .init("account", identity.account.map { .integer(Int64($0)) } ?? .null), .init("words", .bool(identity.words != nil)),
      .init("words_passphrase", .bool(identity.hasWordsPassphrase)),
      .init("same_words", .array(sharing.map { .string($0.name) })),
      .init("key_security", .string(identity.exportSecurity.name)),
      .init("colour", details.colour.map { .string($0.text) } ?? .null),
      .init("emoji", details.emoji.map { .string($0) } ?? .null),
      .init("relays", .array(details.relays.map { .string($0) })), .init("notes", .string(details.notes)),
    ])
  }
}

extension NIP49.Security {
  /// As it is written in commands and JSON.
  var name: String {
    switch self {
    case .handledInsecurely: "handled-insecurely"
    case .notKnownInsecure: "not-known-insecure"
    case .untracked: "untracked"
    }
  }

  init?(name: String) {
    guard let found = [NIP49.Security.handledInsecurely, .notKnownInsecure, .untracked].first(where: { $0.name == name }) else {
      return nil
    }
    self = found
  }
}
