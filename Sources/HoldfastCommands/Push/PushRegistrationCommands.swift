import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast push register`
enum PushRegisterCommand: OwnerCommand {
  typealias Operation = PushRegister

  static let place = Command(
    "register", "Have a push proxy wake this device when apps ask",
    discussion: """
      Registers each app's key at the push proxy, with the app's relays: those of today, and those of apps that are paired later. The keys \
      of apps that end are unregistered. The running signer does this, and tries again until the proxy has answered.

      Each key proves itself, over a connection of its own and at a time of its own. The proxy still learns that the keys belong \
      together, because all of them name the same device, and from the address they come from. It learns each app's key and relays, and \
      when requests come. It cannot read requests.
      """,
    options: [
      .value("proxy", "URL", "The proxy's address exactly as its --public-url; https://, or http:// on this machine"),
      .value(
        "device", "FILE",
        "Where the device is woken: a file with a Web Push subscription as JSON, a UnifiedPush address, or an Apple device token; - for standard input",
        completion: .file),
    ],
    examples: [
      Example("holdfast push register --proxy https://push.example --device device.json", "name the proxy and the device"),
      Example(
        "holdfast wake subscription --public-url https://me.example/wake | holdfast push register --proxy https://push.example --device -",
        "wake this machine"),
    ])

  /// The longest file, in bytes.
  private static let longestFile = 8 << 10

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PushRegister.Request {
    var request = PushRegister.Request()
    request.proxy = line.value("proxy") ?? ""
    return request
  }

  static func check(_ line: Invocation) throws(CommandError) {
    for option in ["proxy", "device"] where !line.has(option) {
      throw CommandError(.usage, "--\(option) is missing.", hint: "Try 'holdfast push register --help'.")
    }
  }

  static func complete(_ request: inout PushRegister.Request, _ line: Invocation) throws(CommandError) {
    request.device = String(decoding: try BoundedFile.bytes(of: line.value("device") ?? "-", most: longestFile), as: UTF8.self)
  }

  static func text(_ answer: PushRegistrationState, _ reader: Reader) -> String {
    "\(answer.apps.count == 1 ? "1 app is" : "\(answer.apps.count) apps are") registered at \(answer.proxy ?? "") from now on, by the running signer."
  }

  static func next(_ answer: PushRegistrationState, _ line: Invocation) -> String? {
    "To see how far it is: holdfast push status"
  }
}

/// `holdfast push unregister`
enum PushUnregisterCommand: OwnerCommand {
  typealias Operation = PushUnregister

  static let place = Command(
    "unregister", "Have the push proxy forget this device",
    discussion: """
      Unregisters each app's key, and names no proxy any more. The running signer does this, and tries again until the proxy has answered.
      """)

  static func text(_ answer: PushRegistrationState, _ reader: Reader) -> String {
    answer.apps.isEmpty
      ? "No app was registered." : "\(answer.apps.count) of your apps' keys are unregistered, by the running signer."
  }

  static func next(_ answer: PushRegistrationState, _ line: Invocation) -> String? {
    answer.apps.isEmpty ? nil : "To see how far it is: holdfast push status"
  }
}

/// `holdfast push status`
enum PushStatusCommand: OwnerCommand {
  typealias Operation = PushStatus

  static let place = Command("status", "Show what is registered at the push proxy, and whether it answers")

  static func text(_ answer: PushStatus.Response, _ reader: Reader) -> String {
    var lines = [proxy(answer)]
    guard !answer.state.apps.isEmpty else { return lines[0] }
    var table = TextTable(["APP", "STATE", "REGISTERED SINCE", "NEXT TRY", "TROUBLE"])
    for app in answer.state.apps {
      table.add([
        app.name ?? "(an app that ended)", app.state.rawValue, date(app.since), app.next.map { due($0, now: reader.now) } ?? "",
        app.error ?? "",
      ])
    }
    lines.append(table.text(for: reader))
    return lines.joined(separator: "\n")
  }

  private static func proxy(_ answer: PushStatus.Response) -> String {
    guard let proxy = answer.state.proxy else { return "No push proxy is named. To name one: holdfast push register" }
    let health = answer.trouble.map { "does not serve: \($0)" } ?? "answers"
    return "The push proxy \(proxy) \(health). It wakes this device through \(answer.state.host ?? "")."
  }

  private static func due(_ time: Int64, now: Int64) -> String { time <= now ? "now" : "in \(time - now) s" }
}
