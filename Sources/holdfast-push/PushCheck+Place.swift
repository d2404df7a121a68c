import CommandLine
import Platform
import PushProxy
import Sockets
import TerminalUI

extension PushCheck {
  /// Whether a proxy could listen, tried for a moment.
  var place: Finding {
    guard case .tcp(let host, let port) = options.settings.listening.place else {
      return .good("It listens at \(options.listen).")
    }
    do throws(SocketError) {
      try Listener.checkFree(host: host, port: port)
      return .good("A proxy can listen on \(options.listen).")
    } catch { return fault(error, port) }
  }

  private func fault(_ fault: SocketError, _ port: UInt16) -> Finding {
    switch fault {
    case .addressInUse: inUse
    case .cannotListen(errno: let code) where code == EACCES || code == EPERM:
      Finding(
        verdict: .bad, found: "The user \(geteuid()) may not listen on \(options.listen): \(systemMessage(code)).",
        advice: port < 1_024 ? "Ports below 1024 are for root. Choose another one: --listen \(PushOptions.usualPlace)" : "")
    case .cannotListen(errno: EADDRNOTAVAIL):
      Finding(
        verdict: .bad, found: "This machine has no address for \(options.listen).",
        advice: "Name one of its own addresses, or 127.0.0.1 behind a reverse proxy on this machine.")
    default: .bad(CommandError(ProxyServiceError.network(fault), options))
    }
  }

  /// With a data folder that a proxy uses, that proxy is likely to be the one that listens.
  private var inUse: Finding {
    if let holder = options.storage.holder {
      return Finding(
        verdict: .warning,
        found: "Somebody listens on \(options.listen), perhaps the push proxy\(Self.process(holder)) that runs.",
        advice: "That is as it should be if it is this proxy.")
    }
    var finding = Finding.bad(CommandError(ProxyServiceError.network(.addressInUse), options))
    if options.storage.isShared { finding.advice += " If it is this proxy, which runs already, all is well." }
    return finding
  }
}
