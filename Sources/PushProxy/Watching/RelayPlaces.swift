import Encodings
import Sockets

/// The relays that pairs named and that have a connection: a limited number in all, and of each host. No I/O and no clock.
struct RelayPlaces {
  /// The most relays that pairs name, all together.
  static let most = 960
  /// The most addresses of one host and port that have a path. The address without a path always counts besides: whoever names paths first
  /// cannot keep others from the relay itself.
  static let pathsPerHost = 3

  /// Why a relay has no place.
  enum Refusal: Hashable { case full, hostFull }

  private(set) var relays: Set<WebSocketURL> = []
  private var paths: [String: Int] = [:]
  private let most: Int

  init(most: Int = most) { self.most = most }

  /// Why the relay has no place and gets none; nil when it has one, or there is one.
  func refusal(of relay: WebSocketURL) -> Refusal? {
    guard !relays.contains(relay) else { return nil }
    guard relays.count < most else { return .full }
    return Self.hasPath(relay) && paths[Self.host(of: relay), default: 0] >= Self.pathsPerHost ? .hostFull : nil
  }

  /// Gives the relay a place, if there is one.
  mutating func take(_ relay: WebSocketURL) {
    guard refusal(of: relay) == nil, relays.insert(relay).inserted, Self.hasPath(relay) else { return }
    paths[Self.host(of: relay), default: 0] += 1
  }

  private static func hasPath(_ relay: WebSocketURL) -> Bool { relay.target != "/" }

  /// Host and port: `ws` and `wss`, other spellings and all paths of one host give the same.
  private static func host(of relay: WebSocketURL) -> String {
    let name = relay.host.hasSuffix(".") ? String(relay.host.dropLast()) : relay.host
    guard name.utf8.contains(UInt8(ascii: ":")) else { return "\(name):\(relay.port)" }
    // An IPv6 address has several spellings.
    return RelayAddress.normal("ws://[\(name)]:\(relay.port)") ?? "[\(name)]:\(relay.port)"
  }
}
