import Curve
import Nostr
import Platform

/// Requests over the rate limit: some apps get an error each second, the other requests are dropped.
extension SigningEngine {
  /// - Parameter isVerified: whether the event's id and signature were checked already.
  func tooMany(_ event: Event, at recipient: PublicKey, isVerified: Bool, _ reason: DropReason, now: Int64) -> Intake {
    guard let channel = state.withLock({ $0.channelToTellTooMany(event.pubkey, at: recipient, now: now) }),
      isVerified || (event.hasCorrectID && event.hasValidSignature), let opened = open(event, channel, true),
      case .request(let request) = Request.parse(opened.plaintext)
    else { return .dropped(reason) }
    let arrival = Arrival(event: event, channel: channel, envelope: opened.envelope, request: request, now: now)
    return refuse(arrival, reason, ReplyText.tooMany)
  }
}

extension SignerState {
  /// - Returns: nil for others than the key's app, and when it was told often enough.
  mutating func channelToTellTooMany(_ author: PublicKey, at recipient: PublicKey, now: Int64) -> Channel? {
    guard let index = servedKeys.index(forKey: recipient), servedKeys.values[index].kind(of: author) == .app else { return nil }
    return mayTellTooMany(at: recipient, now: now) ? servedKeys.values[index].channel : nil
  }
}
