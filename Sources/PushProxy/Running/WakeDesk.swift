import Encodings
import Platform

/// Wakes the devices of a request, each once, and knows when all of them were.
final class WakeDesk: Sendable {
  private struct State {
    /// How many devices of a request are still to be woken.
    var left: [Bytes32: Int] = [:]
    /// Requests that are over and not noted yet.
    var over: [Bytes32] = []
  }

  private let registrations: any RegistrationsStore
  private let state = Locked(State())
  /// Set once, after `init`: the sender's hooks need this object before there is a sender.
  private let sender = Locked<WakeSender?>(nil)

  init(_ registrations: any RegistrationsStore) { self.registrations = registrations }

  func use(_ sender: WakeSender) { self.sender.withLock { $0 = sender } }

  /// Notes the requests, then wakes their devices.
  func take(_ requests: [WakeRequest], now: Int64) {
    registrations.claim(requests, over: takeOver(), now: now) { wake($0, $1) }
  }

  /// Call it when a push reached its service, or is not tried again.
  func settled(_ wake: Wake) {
    state.withLock { state in
      guard let left = state.left[wake.request] else { return }
      state.left[wake.request] = left > 1 ? left - 1 : nil
      if left <= 1 { state.over.append(wake.request) }
    }
  }

  /// Notes what is over, at the end, and lets go of the sender.
  func close() {
    try? registrations.settle(takeOver())
    sender.withLock { $0 = nil }
  }

  /// The requests that are over and not noted yet, for whoever notes them.
  func takeOver() -> [Bytes32] {
    state.withLock { state in
      defer { state.over = [] }
      return state.over
    }
  }

  /// Wakes the devices of a request that is noted.
  func wake(_ request: WakeRequest, _ targets: [PushTarget]) {
    let wakes = targets.compactMap { try? Wake(request, to: $0) }
    // All are counted before the first may be over.
    state.withLock { state in
      if wakes.isEmpty { state.over.append(request.id) } else { state.left[request.id] = wakes.count }
    }
    let sender = sender.withLock { $0 }
    for wake in wakes { sender?.want(wake) }
  }
}
