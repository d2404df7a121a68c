package import RemoteSigning

/// What can be remembered from an answer, so that the same question is not asked again.
package struct Remembering {
  /// As narrow as the request: one kind; one counterparty for messages, one place for logins.
  package let permission: Permission
  /// What is remembered, in words: "notes from this app".
  package let label: String
  /// How long an approval may hold, the shortest first. A refusal may hold for any time.
  package let offers: [Remembered]

  /// - Parameters:
  ///   - scope: the request's scope for the rules.
  ///   - deletesList: whether it deletes the profile or a list, as far as the rules know.
  package init(_ request: PendingRequest, scope: PermissionScope?, deletesList: Bool = false) {
    permission = Permission(request.method, kind: request.kind, scope: scope)
    label = PermissionWords(permission, of: request.identity).label
    offers = Self.offers(for: permission, of: request, deletesList: deletesList)
  }

  /// How long an approval may be valid as a rule for that permission.
  package static func offers(
    for permission: Permission, of request: PendingRequest, deletesList: Bool
  ) -> [Remembered] {
    RequestFacts.isForOnce(request, deletesList: deletesList) ? [.once] : Grant.offers(for: permission, of: request.identity)
  }

  /// The plural for requests like this.
  static func plural(_ request: PendingRequest) -> String {
    PermissionWords.plural(request.method, request.method == .signEvent ? request.kind ?? 0 : nil)
  }
}
