import AuditLog
import Nostr
import OwnerAPI
import RemoteSigning
import Signer

// The contract has words of its own, so that a new name inside the program changes nothing for readers of its responses.

extension Trust {
  init(_ level: TrustLevel) {
    self =
      switch level {
      case .full: .full
      case .medium: .medium
      case .low: .low
      }
  }
}

extension TrustLevel {
  init(_ trust: Trust) {
    self =
      switch trust {
      case .full: .full
      case .medium: .medium
      case .low: .low
      }
  }
}

extension Verdict {
  init(_ verdict: Decision.Verdict) {
    self =
      switch verdict {
      case .allow: .allow
      case .ask: .ask
      case .deny: .deny
      }
  }

  init(_ decision: AuditEntry.Decision) {
    self =
      switch decision {
      case .allow: .allow
      case .ask: .ask
      case .deny: .deny
      }
  }
}

extension AuditEntry.Decision {
  init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .allow: .allow
      case .ask: .ask
      case .deny: .deny
      }
  }
}

extension RuledVerdict {
  init(_ decision: Decision) {
    self.init()
    (verdict, rule, reason) = (Verdict(decision.verdict), decision.rule.name, decision.rule.reason)
  }
}

extension Remembered {
  init(_ duration: OwnerAPI.Duration) {
    self =
      switch duration {
      case .once: .once
      case .fiveMinutes: .fiveMinutes
      case .hour: .hour
      case .day: .day
      case .week: .week
      case .always: .always
      }
  }
}

extension OwnerAPI.Duration {
  init(_ remembered: Remembered) {
    self =
      switch remembered {
      case .once: .once
      case .fiveMinutes: .fiveMinutes
      case .hour: .hour
      case .day: .day
      case .week: .week
      case .always: .always
      }
  }
}

extension BudgetPeriod {
  init(_ period: Budget.Period) {
    self =
      switch period {
      case .hour: .hour
      case .day: .day
      case .week: .week
      }
  }
}

extension Budget.Period {
  init(_ period: BudgetPeriod) {
    self =
      switch period {
      case .hour: .hour
      case .day: .day
      case .week: .week
      }
  }
}

extension EventEffect {
  init(_ effect: KindEffect) {
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
  init(_ method: Method) { self = RequestMethod(rawValue: method.rawValue) ?? .other }

  init(_ method: AuditMethod) { self = RequestMethod(rawValue: method.name) ?? .other }
}
