package import AuditLog
package import Nostr
package import OwnerAPI
package import RemoteSigning
import Signer

// The contract has words of its own, so that a new name inside the program changes nothing for readers of its responses.

extension Trust {
  package init(_ level: TrustLevel) {
    self =
      switch level {
      case .full: .full
      case .medium: .medium
      case .low: .low
      }
  }
}

extension TrustLevel {
  package init(_ trust: Trust) {
    self =
      switch trust {
      case .full: .full
      case .medium: .medium
      case .low: .low
      }
  }
}

extension Verdict {
  package init(_ verdict: Decision.Verdict) {
    self =
      switch verdict {
      case .allow: .allow
      case .ask: .ask
      case .deny: .deny
      }
  }

  package init(_ decision: AuditEntry.Decision) {
    self =
      switch decision {
      case .allow: .allow
      case .ask: .ask
      case .deny: .deny
      }
  }
}

extension AuditEntry.Decision {
  package init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .allow: .allow
      case .ask: .ask
      case .deny: .deny
      }
  }
}

extension RuledVerdict {
  package init(_ decision: Decision) {
    self.init()
    (verdict, rule, reason) = (Verdict(decision.verdict), decision.rule.name, decision.rule.presentReason)
  }
}

extension Remembered {
  package init(_ duration: OwnerAPI.Duration) {
    self =
      switch duration {
      case .once: .once
      case .time(let seconds): .time(seconds)
      case .always: .always
      }
  }
}

extension OwnerAPI.Duration {
  package init(_ remembered: Remembered) {
    self =
      switch remembered {
      case .once: .once
      case .time(let seconds): .time(seconds)
      case .always: .always
      }
  }
}

extension BudgetPeriod {
  package init(_ period: Budget.Period) {
    self =
      switch period {
      case .hour: .hour
      case .day: .day
      case .week: .week
      }
  }
}

extension Budget.Period {
  package init(_ period: BudgetPeriod) {
    self =
      switch period {
      case .hour: .hour
      case .day: .day
      case .week: .week
      }
  }
}

extension EventEffect {
  package init(_ effect: KindEffect) {
    self =
      switch effect {
      case .ordinary: .ordinary
      case .list: .list
      case .profile: .profile
      case .login: .login
      case .money: .money
      case .destruction: .destruction
      case .keyHandling: .keyHandling
      case .unknown: .unknown
      }
  }
}

extension RequestMethod {
  /// A method that is not known here becomes `other`.
  package init(_ method: Method) { self = RequestMethod(rawValue: method.rawValue) ?? .other }

  package init(_ method: AuditMethod) { self = RequestMethod(rawValue: method.name) ?? .other }
}
