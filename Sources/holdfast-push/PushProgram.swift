import CommandLine
import JSON
import Platform
import PushProxy
import Sockets
import TerminalUI

/// `holdfast-push`: reads how it is to run, runs until it is asked to end, and says in words what went wrong.
enum PushProgram {
  static let name = "holdfast-push"

  static func run(_ words: [String]) -> ExitCode {
    do throws(CommandError) { return try start(words) } catch {
      if words.contains("--json") { Output.json(String(decoding: error.json.serialized(), as: UTF8.self)) }
      OperatorLog.write(error)
      return error.exit
    }
  }

  private static func start(_ words: [String]) throws(CommandError) -> ExitCode {
    let given = try Configuration.read(words)
    if given.has("help") {
      let width = Terminal.isOutput ? Terminal.columns() : nil
      return Output.plain(HelpText.text(for: [], in: PushCommand.root, terminal: width) ?? "") ? .done : .failed
    }
    if given.has("manual") {
      return Output.plain(ManualPage.text(for: PushCommand.root, version: Version.text, sections: [])) ? .done : .failed
    }
    if given.has("version") { return Output.plain("\(name) \(Version.text)") ? .done : .failed }
    if let move = try PushMove(given) { return Output.plain(try move.run(isJSON: given.has("json"))) ? .done : .failed }
    let isTrial = given.argument(PushMove.argument) == PushCheck.word
    let options = try PushOptions(given, isTrial: isTrial)
    if isTrial { return try PushCheck(given, options).run() }
    for warning in StartWarnings.all(given, options) { OperatorLog.write(.trouble(warning)) }
    let signals = AwaitedSignals([SIGINT, SIGTERM])
    signals.hold()
    signal(SIGHUP, SIG_IGN)  // many send it to have options read again, and none is
    OpenFiles.raise()
    signal(SIGPIPE, SIG_IGN)  // a peer that hangs up causes an error code
    let service = try service(options)
    let port: UInt16
    do throws(ProxyServiceError) { port = try service.start() } catch { throw CommandError(error, options) }
    guard Output.plain(options.isJSON ? ready(service, options, port) : greeting(service, options, port)) else { return .failed }
    _ = signals.wait()
    service.stop()
    return .done
  }

  private static func service(_ options: PushOptions) throws(CommandError) -> ProxyService {
    let registrations = try options.storage.open()
    if let warning = options.storage.warning { OperatorLog.write(.trouble(warning)) }
    do throws(ProxyServiceError) {
      return try ProxyService(options.settings, registrations) { OperatorLog.write($0) }
    } catch { throw CommandError(error, options) }
  }
}

extension PushProgram {
  /// The port after that of an address, at the same host.
  static func next(to place: String) -> String {
    guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]), port < .max else {
      return PushOptions.usualPlace
    }
    return "\(place[...colon])\(port + 1)"
  }
}

extension CommandError {
  init(_ fault: ProxyServiceError, _ options: PushOptions) {
    switch fault {
    case .registrations(let error): self.init(error, folder: options.storage.folder)
    case .network(.addressInUse):
      self.init(
        .failed, "Another program listens on \(options.listen).",
        hint: "End it, or choose another port: --listen \(PushProgram.next(to: options.listen))")
    case .network(.cannotListen(errno: let code)):
      self.init(.failed, "The system refuses to listen on \(options.listen): \(systemMessage(code)).")
    case .network(.hostNotAddress):
      self.init(.usage, "--listen takes an address and a port, for example 127.0.0.1:8087 or [::1]:8087.")
    case .network:
      self.init(.failed, "The network could not be prepared.", hint: "There may be no memory or file descriptor left.")
    case .noLibrary: self.init(.failed, "libcurl could not be prepared.", hint: "Install the package libcurl4.")
    }
  }
}
