package import Desktop
import Identities
import KeyRotation
import Nostr
import Observability
package import OwnerAPI
import Relays
import Vault

// Words of the contract for what the modules below call by another name. `ContractWordTests` keeps both lists equal: the values
// after `??` are never used.

extension KeyProtection {
  init(_ protection: ProtectionClass) { self = Self(rawValue: protection.name) ?? .whenUnlocked }
}

extension ProtectionClass {
  init(_ word: KeyProtection) { self = Self(name: word.rawValue) ?? .whenUnlocked }
}

extension SlotKind {
  init(_ type: SlotType) { self = Self(rawValue: type.name) ?? .passphrase }
}

extension IdentityOrigin {
  init(_ origin: Identity.Origin) { self = Self(rawValue: origin.name) ?? .created }
}

extension KeySecurity {
  init(_ security: NIP49.Security) {
    switch security {
    case .handledInsecurely: self = .handledInsecurely
    case .notKnownInsecure: self = .notKnownInsecure
    case .untracked: self = .untracked
    }
  }
}

extension NIP49.Security {
  init(_ word: KeySecurity) {
    switch word {
    case .handledInsecurely: self = .handledInsecurely
    case .notKnownInsecure: self = .notKnownInsecure
    case .untracked: self = .untracked
    }
  }
}

extension RotationReason {
  init(_ reason: Succession.Reason) {
    switch reason {
    case .rotated: self = .rotated
    case .compromised: self = .compromised
    case .prepared: self = .prepared
    }
  }
}

extension RotationEvent {
  init(_ what: Rotation.What) { self = Self(rawValue: what.rawValue) ?? .note }
}

extension ProblemName {
  init(_ problem: Problem) { self = Self(rawValue: problem.rawValue) ?? .notRecording }
}

extension RelayState {
  init(_ state: RelayHealth.State) {
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
