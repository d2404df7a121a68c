package import Curve

/// One part of what a request would do, for people. Texts of strangers are cleaned and cut.
package enum DescriptionPart: Sendable, Equatable {
  /// A field of a profile that changes.
  package struct FieldChange: Sendable, Equatable {
    package let name: String
    /// Nil where it was not there.
    package let before: String?
    /// Nil where it is removed.
    package let after: String?
    /// A sentence of the signer's own about this field.
    package var warning: String?
  }

  /// A text of the app's, of several lines.
  case text(label: String, text: String, isCut: Bool)
  /// - Parameter isSelf: whether it is the owner's own key.
  case peer(label: String, key: PublicKey, isSelf: Bool)
  /// - Parameters:
  ///   - host: lower case, with its port; empty where the address names none.
  ///   - method: the HTTP method of a login; nil for none.
  case url(label: String, url: String, host: String, method: String?)
  case relay(label: String, url: String)
  /// Another event, or a place of one.
  case reference(label: String, id: String)
  /// - Parameter time: seconds since 1970.
  case date(label: String, time: Int64)
  case fact(label: String, value: String)
  /// A sentence of the signer's own.
  /// - Parameter about: its subject, where programs act on it.
  case warning(String, about: WarningSubject?)
  case listChange(label: String, ListChange)
  /// - Parameter hasBaseline: whether it is known what was there before.
  case fieldChange(label: String, changes: [FieldChange], hasBaseline: Bool)
}

/// What a warning is about. The raw value is the machine name, stable for programs.
package enum WarningSubject: String, Sendable, CaseIterable {
  /// A deletion that names the owner's profile, the follow list, or another list.
  case lostProfile = "lost-profile"
  case lostFollows = "lost-follows"
  case lostList = "lost-list"
  /// No earlier event is known, so nobody can say what the new one changes.
  case noEarlier = "no-earlier"
  /// A login that allows deleting files.
  case deletesFiles = "deletes-files"
}

extension DescriptionPart {
  /// Every text in it that people read.
  package var texts: [String] {
    switch self {
    case .text(let label, let text, _): [label, text]
    case .peer(let label, _, _), .date(let label, _): [label]
    case .url(let label, let url, let host, let method): [label, url, host, method ?? ""]
    case .relay(let label, let text), .reference(let label, let text), .fact(let label, let text): [label, text]
    case .warning(let text, _): [text]
    case .listChange(let label, let change): [label] + (change.shownAdded + change.shownRemoved).compactMap(\.text)
    case .fieldChange(let label, let changes, _):
      [label] + changes.flatMap { [$0.name, $0.before ?? "", $0.after ?? "", $0.warning ?? ""] }
    }
  }
}
