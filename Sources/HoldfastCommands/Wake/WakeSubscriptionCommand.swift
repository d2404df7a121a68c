import CommandLine
import JSON
import Platform
import Signer
import Sockets
import TerminalUI
import WakeListening

/// `holdfast wake subscription`
enum WakeSubscriptionCommand: ProgramCommand {
  static let place = Command(
    "subscription", "Print what a push proxy must know to wake this machine",
    discussion: """
      Prints a Web Push subscription as JSON: the address of 'holdfast wake listen', and the keys that messages are encrypted to. They are \
      made at the first call and stay. Whoever has this JSON can start wakes and, by a flood of them, keep others from \
      starting. It opens nothing. To make new keys, remove the file wake.key from the vault's folder, and register again.
      """,
    options: [
      .value(
        "public-url", "URL", "The https:// address that leads to 'holdfast wake listen'; the secret part is added at its end")
    ],
    shared: [SharedOptions.home, SharedOptions.json, .help],
    examples: [
      Example(
        "holdfast wake subscription --public-url https://me.example/wake > device.json", "to register: holdfast push register")
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    try checkHasVault(line)
    guard let base = line.value("public-url") else {
      throw CommandError(
        .usage, "--public-url is missing: the address at which 'holdfast wake listen' is reached.",
        hint: "For example: --public-url https://me.example/wake")
    }
    let rest = base.hasPrefix("https://") ? base.dropFirst(8) : ""
    guard !rest.isEmpty, !rest.hasPrefix("/"), base.utf8.count <= 1024, rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !rest.contains(where: { "?#@\\\"".contains($0) })
    else { throw CommandError(.usage, "--public-url takes https://HOST, with a port or a path if it has one.") }
    let keys: WakeKeys
    do throws(WakeListeningError) { keys = try WakeKeys.ofVault(home(line).path) } catch { throw CommandError(error) }
    return Output.line(keys.subscription(at: base)) ? .done : .failed
  }
}

extension Noun {
  static let wake = Noun(
    "wake", "Wake this machine's signer by a push while it sleeps",
    discussion: """
      For a machine that does not run the signer all the time. 'wake listen' receives pushes and starts holdfast-wake; 'push \
      register' tells a push proxy where to send them.
      """,
    commands: [WakeListenCommand.self, WakeSubscriptionCommand.self])
}

extension CommandError {
  /// Why pushes cannot be received.
  init(_ error: WakeListeningError) {
    switch error {
    case .keysMalformed:
      self.init(
        .failed, "The file wake.key in the vault's folder was not written by Holdfast.",
        hint: "Remove it. New keys are made then, which you register again.")
    case .inUse(let pid):
      self.init(.failed, "Another 'holdfast wake listen' runs for this vault\(pid > 0 ? ", process \(pid)" : "").")
    case .io(let code): self.init(.failed, "A file in the vault's folder could not be used: \(systemMessage(code)).")
    case .keysNotMade: self.init(.failed, "The keys could not be made: there is no memory left.")
    case .network(.addressInUse):
      self.init(.failed, "Another program listens there.", hint: "End it, or choose another port: --listen 127.0.0.1:0")
    case .network(.cannotListen(let code)):
      self.init(.failed, "The system refuses to listen there: \(systemMessage(code)).")
    case .network(.hostNotAddress): self.init(.usage, "--listen takes an address and a port, for example 127.0.0.1:24135.")
    case .network, .noThread: self.init(.failed, "The network could not be prepared: no memory, thread or descriptor is left.")
    }
  }
}
