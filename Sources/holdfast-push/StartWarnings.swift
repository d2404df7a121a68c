import CommandLine
import Platform
import PushProxy
import Sockets
import TerminalUI

/// What the operator is warned of at the start: secrets that others can read, and a service that others can reach.
enum StartWarnings {
  static func all(_ given: Invocation, _ options: PushOptions) -> [String] {
    let secrets = ["apns-key", "database-password-file"].compactMap(given.value) + ([fileWithPassword(given)].compactMap { $0 })
    return secrets.compactMap(readableByOthers) + [plain(options)].compactMap { $0 }
      + given.values("trusted-proxy").compactMap(broad)
  }

  // MARK: secrets

  private static func fileWithPassword(_ given: Invocation) -> String? {
    guard let path = given.value("config"), let file = try? ConfigurationFile(path), file.hasPassword else { return nil }
    return path
  }

  /// systemd and containers hand secrets over in /run, where the modes of the folders above protect them.
  private static func readableByOthers(_ path: String) -> String? {
    var about = stat()
    guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_mode & 0o004 != 0, !path.hasPrefix("/run/"),
      !path.hasPrefix("/var/run/")
    else { return nil }
    let (shown, mode) = (printable(path, limit: 300), String(about.st_mode & 0o777, radix: 8))
    return
      "All users of this machine can read \(shown) (mode 0\(mode)), which has a secret in it. To close it: chmod 600 \(shown)"
  }

  // MARK: the service

  /// Nil for a range that only reverse proxies of the operator's are likely to be in.
  private static func broad(_ range: String) -> String? {
    guard AddressRange(parsing: range)?.isBroad == true else { return nil }
    return
      "--trusted-proxy \(range) trusts addresses of strangers: whoever reaches the service can write X-Forwarded-For, and no limit for each "
      + "address holds. Name the reverse proxy's own address."
  }

  /// Nil when nobody on other machines reaches it, and when the operator has set up a reverse proxy on another machine.
  private static func plain(_ options: PushOptions) -> String? {
    let (listening, hasMetrics) = (options.settings.listening, options.settings.server.servesMetrics)
    guard case .tcp(let host, let port) = listening.place, NetworkAddress(parsing: host)?.isLoopback != true,
      hasMetrics || listening.proxies.isEmpty
    else { return nil }
    return "Other machines can reach the service at \(options.listen) without TLS\(hasMetrics ? ", and read /metrics" : ""). "
      + "Let only a reverse proxy reach it: --listen 127.0.0.1:\(port) if that runs on this machine, else a firewall and "
      + "--trusted-proxy\(hasMetrics ? " with --no-metrics" : "")."
  }
}
