import RemoteSigning

/// The short form, for places that others see and that are kept, such as a lock screen: nothing that the app wants signed.
extension RequestDescription {
  /// The longest name or title in it, in bytes.
  package static let longestNoticeName = 48

  /// Who asks for what: “Coracle: Publish a note”.
  package var noticeHeading: String { "\(Self.short(clientName)): \(Self.short(title))" }

  /// Whose key it would use: “As main. ” Empty for an identity without a name.
  package var noticeIdentity: String { identityName.isEmpty ? "" : "As \(Self.short(identityName)). " }

  /// Whose key it would use, and why the owner is asked.
  package var noticeCause: String { noticeIdentity + "Asked because: \(request.rule.reason)." }

  /// A name or title, cut to what a notice has space for.
  package static func short(_ text: String) -> String { ShownText.shortened(text, limit: longestNoticeName) }
}
