import Curve
import Nostr
import RemoteSigning
import RequestPreview

extension PermissionWords {
  /// - Parameters:
  ///   - text: a permission as the owner types it; `@self` is the identity.
  ///   - identity: its key in hex; nil if it is not known.
  /// - Returns: nil for what is no permission.
  init?(typed text: String, of identity: String?) {
    guard let permission = Permission(typed: text, of: identity) else { return nil }
    self.init(permission, of: identity.flatMap { PublicKey(hex: $0) })
  }
}

extension Permission {
  /// - Parameters:
  ///   - text: a permission as the owner types it; `@self` is the identity.
  ///   - identity: its key in hex; nil if it is not known.
  /// - Returns: nil for what is no permission.
  init?(typed text: String, of identity: String?) {
    self.init(parsing: text.hasSuffix("@self") ? text.dropLast("self".count) + (identity ?? "") : text[...])
  }

  /// What the owner is asked about each time although this is granted, as a sentence: what `Policy` looks for in the content of this kind.
  /// Nil for nothing that is of this kind alone.
  var stillAsked: String? {
    switch kind {
    case EventKind.metadata: "A new payment address is asked about each time."
    case GuardedKinds.follows: "Dropping many of the people you follow is asked about each time."
    case GuardedKinds.fileLogin: "A login that is good for more than a day is asked about each time."
    default: nil
    }
  }

  /// The sentences about several permissions, each once; nil for none.
  static func stillAsked(_ permissions: [Permission]) -> String? {
    let sentences = permissions.compactMap(\.stillAsked).reduce(into: [String]()) { all, one in
      if !all.contains(one) { all.append(one) }
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}
