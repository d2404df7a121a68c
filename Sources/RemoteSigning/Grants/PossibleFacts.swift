import Nostr

/// The facts that a request may have had of which only method and kind are known, as from the log.
extension RequestFacts {
  /// The facts that some rule of the grant tells apart: one list element for each way such a request may have been.
  public func possible(under grant: Grant) -> [RequestFacts] {
    var found = [self]
    for rule in grant.rules where rule.permission.method == method && (rule.permission.kind ?? kind) == kind {
      guard let scope = rule.permission.scope else { continue }
      var facts = self
      facts.scope = scope
      found.append(facts)
    }
    switch kind {
    case EventKind.metadata:
      return found.flatMap { facts in
        [false, true].map {
          var facts = facts
          facts.changesPayment = $0
          return facts
        }
      }
    case GuardedKinds.follows:
      return found.flatMap { facts in
        [FollowChange.unknown, .change(before: 100, dropped: 0, kept: 100), .change(before: 100, dropped: 100, kept: 0)].map {
          var facts = facts
          facts.follows = $0
          return facts
        }
      }
    case GuardedKinds.relayLogin:
      return found.flatMap { facts in
        [false, true].map {
          var facts = facts
          facts.isKnownRelay = $0
          return facts
        }
      }
    case GuardedKinds.fileLogin:
      return found.flatMap { facts in
        [nil, "upload", "delete"].map { verb in
          var facts = facts
          facts.file = verb.map { FileLogin(verb: $0, namesFiles: true, expiresAt: 0) }
          return facts
        }
      }
    case nil where method.isDecryption:
      return found.flatMap { facts in
        [false, true].map {
          var facts = facts
          facts.isSelf = $0
          return facts
        }
      }
    default: return found
    }
  }
}
