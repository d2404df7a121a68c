import AuditLog
import Curve
import Nostr
import OwnerAPI
import OwnerWords
import Platform
package import RemoteSigning
import Signer

/// What one app may do, and what each setting did recently: `client/permissions`.
extension Operations {
  static let permissionTableHandlers: [OperationHandler] = [
    .init(AppPermissions.self) { operations, request, _ in try operations.showPermissions(request) }
  ]

  /// The most requests of an app that are counted, newest first.
  static let mostCountedRequests = 20_000
  private static let usualDays: Int64 = 30
  private static let mostDays: Int64 = 366

  private func showPermissions(_ request: AppPermissions.Request) throws -> AppPermissions.Response {
    let days = request.days ?? Self.usualDays
    guard (1...Self.mostDays).contains(days) else { throw OperationError.usage("“days” must be from 1 to \(Self.mostDays).") }
    let (pairing, now) = (try client(request.app), Clock.seconds)
    var filter = AuditFilter(client: pairing.client, kinds: [.requestDecided], since: (now - days * 86_400) * 1000)
    filter.identity = pairing.identity
    let records = try home.log.tail(Self.mostCountedRequests, matching: filter)
    var response = AppPermissions.Response()
    (response.days, response.isCut) = (days, records.count == Self.mostCountedRequests)
    let named = try request.permission.map { try Self.permission($0, identity: pairing.identity.hex) }
    response.permissions = rows(of: pairing, PermissionCounts(records.map(\.entry)), named, now)
    return response
  }

  private func rows(
    of pairing: Pairing, _ counts: PermissionCounts, _ named: Permission?, _ now: Int64
  ) -> [PermissionRow] {
    let rules = pairing.grant.rules.filter { $0.isInForce(at: now) }
    var rows: [PermissionRow] = []
    var seen: Set<Permission> = []
    for permission in rules.map(\.permission) + pairing.requested + counts.permissions + Self.usualPermissions
      + (named.map { [$0] } ?? [])
    {
      guard !permission.method.isAlwaysAllowed, seen.insert(permission).inserted else { continue }
      var row = PermissionRow()
      row.permission = permission.description
      row.decision = RuledVerdict(
        home.engine.decision(for: .example(of: permission), at: pairing.remoteSigner, under: pairing.grant, now: now))
      let rule = rules.first { $0.permission == permission }
      (row.isOwners, row.expires) = (rule != nil, rule?.expiresAt)
      // A rule for one person or place decides what it says, unless the app or the signer is stopped.
      if let rule, permission.scope != nil, Rule(rawValue: row.decision.rule)?.isStop != true {
        (row.decision.verdict, row.decision.rule, row.decision.reason) = Self.said(by: rule.verdict)
      }
      row.isFromTrust = !row.isOwners && Rule(rawValue: row.decision.rule)?.isOfTrust == true
      (row.longest, row.needsPlace) = (permission.longestAllowance(of: pairing.identity).text, permission.needsScope)
      row.isRequested = pairing.requested.contains(permission)
      counts.fill(&row, permission)
      rows.append(row)
    }
    return rows
  }

  private static func said(by verdict: Decision.Verdict) -> (Verdict, String, String) {
    let rule: Rule =
      switch verdict {
      case .allow: .ownerAllowed
      case .ask: .ownerAsks
      case .deny: .ownerDenied
      }
    return (Verdict(verdict), rule.name, rule.reason)
  }

  /// What apps commonly ask for, in the order of the table.
  private static let usualPermissions: [Permission] =
    [1, 7, 6, 1111, 30_023, 0, 3, 10_002, 5, 30_078].map { Permission(.signEvent, kind: $0, scope: nil) }
    + [.nip44Encrypt, .nip44Decrypt, .nip04Encrypt, .nip04Decrypt, .signEvent].map { Permission($0, kind: nil, scope: nil) }
}

/// How an app's past requests were decided, by permission. The log keeps no contents, so these have no scope.
struct PermissionCounts {
  /// In order of the first request.
  private(set) var permissions: [Permission] = []
  private var rows: [Permission: PermissionRow] = [:]

  init(_ entries: [AuditEntry]) {
    for entry in entries {
      guard let method = entry.method.flatMap({ Method(rawValue: $0.name) }), !method.isAlwaysAllowed else { continue }
      count(entry, Permission(method, kind: entry.eventKind.map { Int($0) }, scope: nil))
    }
  }

  private mutating func count(_ entry: AuditEntry, _ permission: Permission) {
    if rows[permission] == nil { permissions.append(permission) }
    var row = rows[permission] ?? PermissionRow()
    switch (entry.decidingRule, entry.decision) {
    case (.ownerApproved?, _): row.approved += 1
    case (.ownerRefused?, _): row.refused += 1
    case (_, nil): break
    case (_, .allow?): row.allowed += 1
    case (_, .ask?): row.asked += 1
    case (_, .deny?): row.denied += 1
    }
    rows[permission] = row
  }

  func fill(_ row: inout PermissionRow, _ permission: Permission) {
    guard let counted = rows[permission] else { return }
    (row.allowed, row.asked, row.approved) = (counted.allowed, counted.asked, counted.approved)
    (row.refused, row.denied) = (counted.refused, counted.denied)
  }
}

extension RequestFacts {
  /// An ordinary request of that permission: a follow list changes little.
  package static func example(of permission: Permission) -> RequestFacts {
    var facts = RequestFacts(method: permission.method, kind: permission.kind, scope: permission.scope)
    if permission.kind == EventKind.follows { facts.follows = .change(before: 100, dropped: 1, kept: 99) }
    return facts
  }
}
