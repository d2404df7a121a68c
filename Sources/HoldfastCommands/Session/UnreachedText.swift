import OwnerAPI
import ResponseTexts

/// What `status` says of paired apps none of whose relays can be reached.
struct UnreachedText {
  /// The most apps that are named.
  private static let mostNamed = 3

  private let apps: [UnreachedApp]

  /// - Returns: nil if all apps are reached.
  init?(_ apps: [UnreachedApp]) {
    guard !apps.isEmpty else { return nil }
    self.apps = apps
  }

  /// Which apps they are.
  var text: String {
    let names = apps.prefix(Self.mostNamed).map { quoted(AppName.shown($0.name, $0.pubkey)) }
    guard apps.count > 1 else { return "Requests of \(names[0]) do not arrive: \(relays(of: apps[0]))." }
    let all = apps.count > Self.mostNamed ? names.joined(separator: ", ") + " and others" : Self.joined(names)
    return "Requests of \(all) do not arrive: none of their relays can be reached."
  }

  /// What to do.
  var hint: String {
    "Holdfast keeps trying. If a relay is gone for good, pair \(apps.count == 1 ? "the app" : "each app") again, with another one: "
      + "holdfast pair --relay wss://…"
  }

  private func relays(of app: UnreachedApp) -> String {
    guard app.relays.count == 1, let only = app.relays.first else { return "none of its relays can be reached" }
    return "its only relay, \(foreign(only, limit: 300)), cannot be reached"
  }

  private static func joined(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
