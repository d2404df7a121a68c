import Relays

extension RelayHealth {
  /// Whether requests there are heard: it is connected, takes what is asked for, and has confirmed it.
  var isHearing: Bool { state == .connected && refusal == nil && subscriptions == .confirmed }

  /// Whether it is connected and has confirmed nothing in time.
  var isSilent: Bool { state == .connected && refusal == nil && subscriptions == .unanswered }

  /// Whether it is connected and may still confirm what it was just asked for.
  var isUndecided: Bool { state == .connected && refusal == nil && subscriptions == .asked }
}
