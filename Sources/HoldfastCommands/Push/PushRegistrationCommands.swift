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
      of apps that end are unregistered. The running signer does this, or the next one that runs, and tries again until the proxy has answered.

      An app that knows only the signer's own relay cannot wake it, because that relay ends with the signer. Pair it over a relay that \
      stays: holdfast pair --relay wss://relay.example

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
    let (staying, proxy) = (answer.apps.filter { $0.state != .leaving }, answer.proxy ?? "")
    let waiting = staying.count { $0.state == .waiting }
    let said =
      if staying.isEmpty {
        "No app is paired over a relay yet. Each one will be registered at \(proxy) once it is paired and a signer runs."
      } else if waiting == 0 {
        "\(counted(staying.count)) registered at \(proxy) already."
      } else if answer.isRunning {
        "\(counted(waiting)) being registered at \(proxy) by the running signer."
      } else {
        "\(waiting == 1 ? "1 app" : "\(waiting) apps") will be registered at \(proxy) once a signer runs: holdfast up"
      }
    return said + (OwnRelayWarning.text(staying).map { "\n" + $0 } ?? "")
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 app is" : "\(count) apps are" }

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
      Unregisters each app's key, and names no proxy any more. The running signer does this, or the next one that runs, and tries again until \
      the proxy has answered.
      """)

  static func text(_ answer: PushRegistrationState, _ reader: Reader) -> String {
    let unsure = answer.apps.count { $0.since == nil }
    let known = answer.apps.count - unsure
    guard known + unsure > 0 else { return "No push proxy is named any more. No app was registered." }
    var lines: [String] = []
    if known > 0 {
      let keys = known == 1 ? "The key of 1 app" : "The keys of \(known) apps"
      lines.append(
        answer.isRunning
          ? "\(keys) \(known == 1 ? "is" : "are") being unregistered by the running signer."
          : "\(keys) will be unregistered once a signer runs: holdfast up")
    }
    if unsure > 0 {
      let keys = unsure == 1 ? "the key of 1 app" : "the keys of \(unsure) apps"
      lines.append(
        "The proxy never said that it registered \(keys). It is asked to forget \(unsure == 1 ? "it" : "them") all the same.")
    }
    return lines.joined(separator: "\n")
  }

  static func next(_ answer: PushRegistrationState, _ line: Invocation) -> String? {
    answer.apps.isEmpty ? nil : "To see how far it is: holdfast push status"
  }
}

/// `holdfast push status`
enum PushStatusCommand: OwnerCommand {
  typealias Operation = PushStatus

  static let place = Command(
    "status", "Show what is registered at the push proxy, and whether it answers",
    discussion: """
      Asks the proxy whether it is well, and shows for each app whether the proxy has its key, when it is asked next, and why it did not take it.

      The exit code is 1 if the proxy does not serve.
      """)

  static func text(_ answer: PushStatus.Response, _ reader: Reader) -> String {
    var lines = [proxy(answer)]
    guard !answer.state.apps.isEmpty else { return lines[0] }
    // The line above names the only proxy, unless an earlier one has not yet forgotten all.
    let isSeveral = answer.state.apps.contains { $0.proxy != answer.state.proxy }
    var table = TextTable(["APP"] + (isSeveral ? ["PROXY"] : []) + ["STATE", "REGISTERED SINCE", "NEXT TRY", "TROUBLE"])
    for app in answer.state.apps {
      table.add(
        [app.name ?? "(an app that ended)"] + (isSeveral ? [app.proxy] : []) + [
          app.state.rawValue, date(app.since), app.next.map { due($0, now: reader.now) } ?? "", app.error ?? "",
        ])
    }
    lines.append(table.text(for: reader))
    if reader.columns != nil { lines += longTroubles(answer.state.apps) }
    if let warning = OwnRelayWarning.text(answer.state.apps) { lines.append(warning) }
    return lines.joined(separator: "\n")
  }

  /// What the table may have cut, such as a proxy's own sentence. The same of several apps is said once.
  private static func longTroubles(_ apps: [RegisteredApp]) -> [String] {
    var said: Set<String> = []
    return apps.compactMap(\.error).filter { $0.utf8.count > longestCell && said.insert($0).inserted }
      .map { "! Trouble in full: \(ours($0, limit: 500))" }
  }

  /// How much of a trouble fits into the table of a small terminal, in bytes.
  private static let longestCell = 30

  private static func proxy(_ answer: PushStatus.Response) -> String {
    guard let proxy = answer.state.proxy else { return "No push proxy is named. To name one: holdfast push register" }
    let health = answer.trouble.map { "does not serve: \($0)" } ?? "answers"
    return "The push proxy \(proxy) \(health). It wakes this device through \(answer.state.host ?? "")."
  }

  private static func due(_ time: Int64, now: Int64) -> String { time <= now ? "now" : "in \(time - now) s" }
}

/// What is said of apps that no proxy hears: their only relay ends with the signer.
enum OwnRelayWarning {
  static func text(_ apps: [RegisteredApp]) -> String? {
    let names = apps.filter(\.cannotWake).map { shown($0.name ?? "") }
    guard let first = names.first else { return nil }
    let who = names.count == 1 ? "\(first) knows" : "\(first) and \(names.count - 1) more know"
    return
      "! \(who) only the signer's own relay, which ends with the signer, so a request there wakes nobody. Pair over a relay that stays: "
      + "holdfast pair --relay wss://…"
  }
}
