import CPostgreSQL
import Platform

/// The hosts that an address names, each with what libpq is told to reach it. libpq itself would wait for the first of them without end.
struct PostgresHosts: Equatable {
  /// A word of libpq and its value.
  struct Word: Equatable {
    let name: String
    let value: String
  }

  /// One of the hosts.
  struct Host: Equatable {
    /// What counts unless the address says otherwise.
    var before: [Word] = []
    /// What counts more than the address.
    var after: [Word] = []
  }

  /// In the order of the address; at least one.
  let all: [Host]

  init(_ pq: holdfast_pq, _ address: PostgresAddress) throws(PostgresFault) {
    try self.init(try Self.parsed(pq, address.url), environment: { getenv($0).map { String(cString: $0) } })
  }

  /// - Parameters:
  ///   - options: what the address says, by libpq's words.
  ///   - environment: what the environment says, by libpq's variables.
  init(_ options: [String: String], environment: (String) -> String?) throws(PostgresFault) {
    if let mode = options["sslmode"], !Self.modes.contains(mode) { throw .malformedMode }
    // A service is a file of libpq's, which may name any host.
    let hasService = options["service"] != nil || environment("PGSERVICE") != nil
    let asksForTLS = options["sslmode"] != nil || environment("PGSSLMODE") != nil
    let names = Self.list(options["host"] ?? environment("PGHOST"))
    let addresses = Self.list(options["hostaddr"] ?? environment("PGHOSTADDR"))
    let ports = Self.list(options["port"] ?? environment("PGPORT"))
    let count = max(names.count, addresses.count)
    guard [0, count].contains(names.count), [0, count].contains(addresses.count),
      count == 0 || [0, 1, count].contains(ports.count)
    else { throw .malformedAddress }
    func hosts(_ index: Int) -> Host {
      var host = Host()
      // An address that is not given may be looked up, and whoever answers must be shown to be the one that is meant.
      let place = addresses.isEmpty || addresses[index].isEmpty ? names[index] : addresses[index]
      if !asksForTLS, hasService || !Self.isOnThisMachine(place) { host.before = [Self.strict] }
      guard count > 1 else { return host }
      if !names.isEmpty { host.after.append(Word(name: "host", value: names[index])) }
      if !addresses.isEmpty { host.after.append(Word(name: "hostaddr", value: addresses[index])) }
      if ports.count == count { host.after.append(Word(name: "port", value: ports[index].isEmpty ? "5432" : ports[index])) }
      return host
    }
    // libpq takes no empty word. Where one of several is its usual place, it tries them all by itself.
    let hasUsual = count > 1 && (names + addresses).contains("")
    let all = (0..<count).map(hosts)
    let isStrict = all.isEmpty ? hasService && !asksForTLS : all.contains { !$0.before.isEmpty }
    self.all = all.isEmpty || hasUsual ? [Host(before: isStrict ? [Self.strict] : [])] : all
  }

  private static let strict = Word(name: "sslmode", value: "verify-full")
  /// libpq's modes.
  private static let modes: Set = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

  private static func list(_ text: String?) -> [String] {
    text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
  }

  /// Whether a host is a socket in a folder, or this machine by a name or number that nobody is asked for.
  static func isOnThisMachine(_ host: String) -> Bool {
    if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "::1"].contains(host) { return true }
    var bytes = in_addr()
    return inet_pton(AF_INET, host, &bytes) == 1 && UInt32(bigEndian: bytes.s_addr) >> 24 == 127
  }

  private static func parsed(_ pq: holdfast_pq, _ url: String) throws(PostgresFault) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = pq.conninfoParse(url, &message) else {
      pq.freemem(message)
      throw .malformedAddress
    }
    defer { pq.conninfoFree(options) }
    var found: [String: String] = [:]
    for index in 0... {
      guard let keyword = options[index].keyword else { break }
      if let value = options[index].val { found[String(cString: keyword)] = String(cString: value) }
    }
    return found
  }
}
