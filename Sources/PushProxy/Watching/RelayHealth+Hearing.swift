import Relays

extension RelayHealth {
  /// Whether requests there are heard: it is connected, and takes what is asked for.
  var isHearing: Bool { state == .connected && refusal == nil }
}
