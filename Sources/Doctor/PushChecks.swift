import JSON
import OwnerAPI

/// Checks whether apps can wake this device through the push proxy that the owner named.
enum PushChecks {
  /// - Parameter answer: the response of a running signer to `push/status`; nil when there was none.
  /// - Returns: nothing where no proxy is named.
  static func findings(_ answer: JSONValue?) -> [Finding] {
    guard let status = answer.flatMap({ try? PushStatus.response(from: ControlResult($0)) }), let proxy = status.state.proxy
    else {
      return []
    }
    if let trouble = status.trouble {
      return [
        .bad(
          "push", "The push proxy \(proxy) does not serve: \(trouble)",
          advice: "Until it does, apps cannot wake this device. To try again: holdfast push status")
      ]
    }
    let troubles = unregistered(status.state.apps) + deaf(status.state.apps)
    return troubles.isEmpty ? [.good("push", "The push proxy \(proxy) answers, and knows the key of each app.")] : troubles
  }

  private static func unregistered(_ apps: [RegisteredApp]) -> [Finding] {
    let waiting = apps.filter { $0.state == .waiting }
    guard let first = waiting.first else { return [] }
    let reason = waiting.lazy.compactMap(\.error).first.map { ": \($0)" } ?? "."
    return [
      .warning(
        "push", "\(named(first, of: waiting.count)) not registered at the push proxy yet\(reason)",
        advice: "To see how far it is: holdfast push status")
    ]
  }

  private static func deaf(_ apps: [RegisteredApp]) -> [Finding] {
    let deaf = apps.filter(\.cannotWake)
    guard let first = deaf.first else { return [] }
    return [
      .warning(
        "push-relay",
        "\(named(first, of: deaf.count)) not able to wake this device, because the signer's own relay is the only one it knows.",
        advice: "Pair over a relay that stays: holdfast pair --relay wss://…")
    ]
  }

  private static func named(_ first: RegisteredApp, of count: Int) -> String {
    let name = "“\(first.name ?? "an app without a name")”"
    return count == 1 ? "\(name) is" : "\(name) and \(count - 1) more are"
  }
}
