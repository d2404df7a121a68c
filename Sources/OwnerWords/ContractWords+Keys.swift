package import Desktop
package import Identities
package import KeyRotation
package import Nostr
package import Observability
package import OwnerAPI
package import Relays
package import Vault

// Words of the contract for what the modules below call by another name. `ContractWordTests` keeps both lists equal: the values
// after `??` are never used.

extension KeyProtection {
  package init(_ protection: ProtectionClass) { self = Self(rawValue: protection.name) ?? .whenUnlocked }
}

extension ProtectionClass {
  package init(_ word: KeyProtection) { self = Self(name: word.rawValue) ?? .whenUnlocked }
}

extension SlotKind {
  package init(_ type: SlotType) { self = Self(rawValue: type.name) ?? .passphrase }
}

extension IdentityOrigin {
  package init(_ origin: Identity.Origin) { self = Self(rawValue: origin.name) ?? .created }
}

extension KeySecurity {
  package init(_ security: NIP49.Security) {
    switch security {
    case .handledInsecurely: self = .handledInsecurely
    case .notKnownInsecure: self = .notKnownInsecure
    case .untracked: self = .untracked
    }
  }
}

extension NIP49.Security {
  package init(_ word: KeySecurity) {
    switch word {
    case .handledInsecurely: self = .handledInsecurely
    case .notKnownInsecure: self = .notKnownInsecure
    case .untracked: self = .untracked
    }
  }
}

extension RotationReason {
  package init(_ reason: Succession.Reason) {
    switch reason {
    case .rotated: self = .rotated
    case .compromised: self = .compromised
    case .prepared: self = .prepared
    }
  }
}

extension RotationEvent {
  package init(_ what: Rotation.What) { self = Self(rawValue: what.rawValue) ?? .note }
}

extension ProblemName {
  package init(_ problem: Problem) { self = Self(rawValue: problem.rawValue) ?? .notRecording }
}

extension RelayState {
  package init(_ state: RelayHealth.State) {
    switch state {
    case .connecting: self = .connecting
    case .connected: self = .connected
    case .waiting: self = .waiting
    }
  }
}

extension DesktopCondition {
  /// - Parameter condition: nil if nothing is shown on the desktop at all.
  package init(_ condition: DesktopNotifier.Condition?) { self = condition.flatMap { Self(rawValue: $0.rawValue) } ?? .off }
}
