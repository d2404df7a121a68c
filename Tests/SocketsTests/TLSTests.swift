import Foundation
import Platform
import Testing

@testable import Sockets

/// Two authorities and a server's certificate by the first of them, for 127.0.0.1 and "localhost", made afresh by the openssl command.
private struct Certificates {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "holdfast-tls-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for authority in ["right", "wrong"] {
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
        "/CN=\(authority) authority",
        "-keyout", path("\(authority).key"), "-out", path("\(authority).pem"))
    }
    try leaf("here", names: "IP:127.0.0.1,DNS:localhost", days: "2")
    try leaf("elsewhere", names: "DNS:relay.example", days: "2")
    try leaf("expired", names: "IP:127.0.0.1", days: "-1")
    try later()
    for (name, names) in [("alone", "IP:127.0.0.1"), ("alone-elsewhere", "DNS:relay.example")] {
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
        "-addext", "subjectAltName=\(names)", "-keyout", path(name + ".key"), "-out", path(name + ".pem"))
    }
  }

  func path(_ name: String) -> String { folder + "/" + name }
  func remove() { try? FileManager.default.removeItem(atPath: folder) }
  func server(_ name: String) -> TLSFiles { TLSFiles(certificatePath: path(name + ".pem"), privateKeyPath: path(name + ".key")) }

  private func leaf(_ name: String, names: String, days: String) throws {
    try "subjectAltName=\(names)\n".write(toFile: path(name + ".ext"), atomically: true, encoding: .utf8)
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)", "-keyout",
      path(name + ".key"), "-out",
      path(name + ".csr"))
    try openssl(
      "x509", "-req", "-in", path(name + ".csr"), "-CA", path("right.pem"), "-CAkey", path("right.key"), "-CAcreateserial",
      "-days", days,
      "-extfile", path(name + ".ext"), "-out", path(name + ".pem"))
  }

  /// A certificate that begins tomorrow. `openssl x509` of Debian 12 takes no first day, `openssl ca` does.
  private func later() throws {
    try leaf("later", names: "IP:127.0.0.1", days: "2")
    for (name, text) in [
      ("index", ""), ("serial", "01\n"),
      (
        "ca.conf",
        """
        [ca]
        default_ca = one
        [one]
        database = \(path("index"))
        serial = \(path("serial"))
        new_certs_dir = \(folder)
        default_md = sha256
        policy = any
        [any]
        commonName = supplied
        """
      ),
    ] { try text.write(toFile: path(name), atomically: true, encoding: .utf8) }
    let day = DateFormatter()
    (day.dateFormat, day.timeZone) = ("yyyyMMddHHmmss'Z'", TimeZone(identifier: "UTC"))
    func date(_ days: Double) -> String { day.string(from: Date(timeIntervalSinceNow: days * 86_400)) }
    try openssl(
      "ca", "-batch", "-notext", "-config", path("ca.conf"), "-cert", path("right.pem"), "-keyfile", path("right.key"),
      "-startdate", date(1), "-enddate", date(2), "-extfile", path("later.ext"), "-in", path("later.csr"), "-out",
      path("later.pem"))
  }

  private func openssl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
  }
}

@Suite(.serialized) struct TLSTests {
  private func meet(
    server name: String, trusting authority: String?, host: String = "127.0.0.1", _ check: (Recorder, WebSocket) throws -> Void
  ) throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let bench = try Bench(.init(.tcp(host: "127.0.0.1", port: 0), tls: certificates.server(name)), echoService())
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    let authorities = authority.map { TrustedAuthorities.file(certificates.path($0 + ".pem")) } ?? .system
    let socket = bench.loop.connect(
      to: try WebSocketURL(parsing: "wss://\(host):\(bench.listener.port)/relay"), options: .init(authorities: authorities),
      handler: client)
    try check(client, socket)
  }

  @Test("A valid certificate is accepted", arguments: ["127.0.0.1", "localhost"])
  func aRightCertificateIsAccepted(host: String) throws {
    try meet(server: "here", trusting: "right", host: host) { client, socket in
      #expect(client.waitForOpening(), "\(client.end(milliseconds: 0) as Any)")
      for count in [10, 200_000] {
        let text = [UInt8](repeating: 0x61, count: count)
        socket.send(text)
        #expect(client.log.wait(milliseconds: 20_000) { $0.texts.last == text ? true : nil } == true)
      }
    }
  }

  @Test("A certificate of another authority is refused") func anotherAuthorityIsRefused() throws {
    try meet(server: "here", trusting: "wrong") { client, _ in #expect(client.end() == .tls(.unknownIssuer)) }
  }

  @Test("A certificate that the system's authorities do not know is refused") func theSystemsAuthoritiesDoNotKnowIt() throws {
    try meet(server: "here", trusting: nil) { client, _ in #expect(client.end() == .tls(.unknownIssuer)) }
  }

  @Test("A self-signed certificate is called so, whatever name it has", arguments: ["alone", "alone-elsewhere"])
  func aSelfSignedCertificateIsCalledSo(name: String) throws {
    for authority in ["right", nil] {
      try meet(server: name, trusting: authority) { client, _ in #expect(client.end() == .tls(.selfSigned)) }
    }
    try meet(server: "alone", trusting: "alone") { client, _ in #expect(client.waitForOpening(), "trusted by itself") }
  }

  @Test("A certificate that begins tomorrow is called not valid yet") func notYet() throws {
    try meet(server: "later", trusting: "right") { client, _ in #expect(client.end() == .tls(.notYetValid)) }
  }

  @Test("A certificate of another host is refused", arguments: ["127.0.0.1", "localhost"])
  func anotherHostsCertificateIsRefused(host: String) throws {
    try meet(server: "elsewhere", trusting: "right", host: host) { client, _ in #expect(client.end() == .tls(.wrongHost)) }
  }

  @Test("An expired certificate is refused") func anExpiredCertificateIsRefused() throws {
    try meet(server: "expired", trusting: "right") { client, _ in #expect(client.end() == .tls(.expired)) }
  }

  @Test("Authorities that cannot be read make every certificate untrusted") func authoritiesThatCannotBeReadTrustNobody() throws {
    try meet(server: "here", trusting: "no-such-file") { client, _ in
      #expect(client.end() != nil)
      #expect(client.log.withLock { $0.openings } == 0)
    }
  }

  @Test("A plain connection to a TLS port fails") func plainTextToATLSPortFails() throws {
    let certificates = try Certificates()
    defer { certificates.remove() }
    let bench = try Bench(.init(.tcp(host: "127.0.0.1", port: 0), tls: certificates.server("here")), echoService())
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    bench.loop.connect(to: try bench.url, options: .init(milliseconds: 2_000), handler: client)
    #expect(client.end() != nil)
    #expect(client.log.withLock { $0.openings } == 0)
  }

  @Test("A TLS connection to a plain port fails") func TLSToAPlainPortFails() throws {
    let bench = try Bench(echoService())
    defer { bench.loop.stop(within: 200) }
    let client = Recorder()
    bench.loop.connect(
      to: try WebSocketURL(parsing: "wss://127.0.0.1:\(bench.listener.port)"), options: .init(milliseconds: 2_000),
      handler: client)
    #expect(client.end() == .tls(.handshake) || client.end() == .timedOut, "\(client.end() as Any)")
  }
}
