import Foundation
import JSON
import OwnerAPI
import Platform
import SecretMemory
import Testing

@testable import LocalAccess

/// A server of a few lines on a control socket: takes one connection, keeps what it read, and answers as the test says.
private final class OneShotServer: @unchecked Sendable {  // Sendable: `received` is read after `finished`
  let home: String
  private let listening: Int32
  private let finished = DispatchSemaphore(value: 0)
  private(set) var received: [UInt8] = []

  /// - Parameter answering: gets the accepted socket when the request's `expected` bytes or its end have come.
  init(folders: Int = 0, answering: @escaping @Sendable (Int32) -> Void) throws {
    var folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
    for _ in 0..<folders { folder.appendPathComponent(String(repeating: "d", count: 60)) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    home = folder.path
    listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let listening = listening
    let bound = ControlSocket.withShortPath(home: home) { path in
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    try #require(bound == 0 && listen(listening, 1) == 0)
    Thread { [self] in
      let peer = accept(listening, nil, nil)
      var space = [UInt8](repeating: 0, count: 65536)
      // The client sends all it has before it reads; what has come by its first pause is the request.
      repeat {
        let count = read(peer, &space, space.count)
        if count <= 0 { break }
        received += space[..<count]
      } while !isWhole
      answering(peer)
      close(peer)
      finished.signal()
    }.start()
  }

  private var isWhole: Bool {
    let text = String(decoding: received, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"), let mark = text.range(of: "Content-Length: ") else { return false }
    let length = Int(text[mark.upperBound...].prefix { $0.isNumber }) ?? 0
    return text[end.upperBound...].utf8.count >= length
  }

  /// What the client sent, once the server is done with it.
  func request() -> String {
    finished.wait()
    return String(decoding: received, as: UTF8.self)
  }

  deinit {
    close(listening)
    try? FileManager.default.removeItem(atPath: home)
  }
}

private func send(_ text: String, to peer: Int32) {
  let bytes = Array(text.utf8)
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeBytes { Glibc.send(peer, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL)) }
    if count <= 0 { return }
    done += count
  }
}

private func answer(_ body: String) -> String {
  "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
}

private func call(_ server: OneShotServer, timeout: Int = 20_000) throws(ControlError) -> ControlResponse {
  try ControlClient.call(home: server.home, ControlRequest("client/list", ["a": 1]), timeout: timeout)
}

@Suite struct ControlClientTests {
  @Test("A client sends one request and reads the result") func sendsOneRequestAndReadsTheResult() throws {
    let server = try OneShotServer { send(answer(#"{"ok":true,"result":{"clients":[]}}"#), to: $0) }
    #expect(try call(server) == .success(["clients": []]))
    let request = server.request()
    #expect(request.hasPrefix("POST /v1/client/list HTTP/1.1\r\n"))
    #expect(request.hasSuffix("\r\n\r\n{\"a\":1}"))
  }

  @Test("Secrets in a result are read from outside of the JSON") func readsSecretsThatStandOutsideOfTheJSON() throws {
    let sent = ControlResponse.success(
      ControlResult(
        ["name": "bob", "nsec": nil, "shares": []],
        secrets: ["nsec": .text(try box("nsec1\n\"x\u{0}")), "shares": .list([try box("academic acid"), try box("b")])]))
    let body = try sent.framed().withBytes { [UInt8]($0) }
    let text = String(decoding: body, as: UTF8.self)
    #expect(
      text.hasPrefix(
        #"{"ok":true,"result":{"name":"bob","nsec":null,"shares":[]},"secrets":[["nsec",9],["shares",[13,1]]]}"# + "\n"))
    let server = try OneShotServer { send(answer(text), to: $0) }
    let read = try call(server)
    #expect(read == sent)
    #expect(read.json["result"]?["nsec"] == .null, "what can be copied without care has no secret in it")
  }

  @Test("A failure is read with its exit code and hint") func readsAFailureWithItsExitCode() throws {
    let server = try OneShotServer {
      send(answer(#"{"ok":false,"exit":5,"error":"There is no such client.","hint":"Try list."}"#), to: $0)
    }
    #expect(try call(server) == .failure(exit: 5, error: "There is no such client.", hint: "Try list."))
  }

  @Test("An answer that arrives byte by byte is read") func readsAnAnswerThatComesByteByByte() throws {
    let server = try OneShotServer { peer in
      for byte in answer(#"{"ok":true,"result":{}}"#).unicodeScalars { send(String(byte), to: peer) }
    }
    #expect(try call(server) == .success([:]))
  }

  @Test("An answer without a length is read to its end") func readsAnAnswerWithoutALengthToItsEnd() throws {
    let server = try OneShotServer { send("HTTP/1.1 200 OK\r\n\r\n{\"ok\":true,\"result\":{}}", to: $0) }
    #expect(try call(server) == .success([:]))
  }

  @Test("The control socket is found when its path is long") func findsTheSocketInADeepFolder() throws {
    let server = try OneShotServer(folders: 3) { send(answer(#"{"ok":true,"result":{}}"#), to: $0) }
    #expect(ControlSocket.path(home: server.home).utf8.count > UnixSocketAddress.longestPath)
    #expect(try call(server) == .success([:]))
  }

  static let faults: [(String, ControlError)] = [
    (answer("{\"ok\":true,\"result\":{}}\nx"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":[[\"a\",2]]}\nx"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":[[\"a\",1]]}\nxy"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":[[\"a\",0]]}\n"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":[[\"a\",-1]]}\n"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":[[\"a\",[1,9223372036854775807]]]}\nx"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":[[\"a\",1],[\"a\",1]]}\nxy"), .answerMalformed),
    (answer("{\"ok\":true,\"result\":{},\"secrets\":{}}"), .answerMalformed),
    ("", .connectionLost),
    ("garbage", .answerMalformed),
    ("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{}", .connectionLost),
    ("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}", .answerMalformed),
    ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}", .answerMalformed),
    ("HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n{}", .answerMalformed),
    ("HTTP/1.1 200 OK\r\ncontent-length: 9000000000000000000\r\n\r\n{}", .answerTooLong(limit: ControlClient.longestAnswer)),
    ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", .answerMalformed),
    ("HTTP/2 200 OK\r\n\r\n{}", .answerMalformed),
    (answer("{}"), .answerMalformed),
    (answer(#"{"ok":true}"#), .answerMalformed),
    (answer(#"{"ok":true,"result":[]}"#), .answerMalformed),
    (answer(#"{"ok":false,"exit":"1","error":"x"}"#), .answerMalformed),
    (answer(#"{"ok":false,"exit":99,"error":"x"}"#), .answerMalformed),
    (answer(#"{"ok":false,"exit":0,"error":"x"}"#), .answerMalformed),
    (answer("not json"), .answerMalformed),
    (answer(String(repeating: "[", count: 100_000)), .answerMalformed),
    ("HTTP/1.1 200 OK\r\nx: " + String(repeating: "y", count: 100_000), .answerMalformed),
  ]

  @Test("A malformed answer gets an error that names the fault", arguments: faults)
  func namesWhatIsWrongWithAnAnswer(text: String, fault: ControlError) throws {
    let server = try OneShotServer { send(text, to: $0) }
    #expect(throws: fault) { try call(server) }
  }

  @Test("An endless answer is cut off at the limit") func stopsReadingAnEndlessAnswer() throws {
    let server = try OneShotServer { peer in
      send("HTTP/1.1 200 OK\r\n\r\n", to: peer)
      let piece = String(repeating: " ", count: 1 << 20)
      for _ in 0..<40 { send(piece, to: peer) }
    }
    #expect(throws: ControlError.answerTooLong(limit: 16 << 20)) { try call(server) }
  }

  @Test("A call to a daemon that does not answer times out") func givesUpOnADaemonThatSaysNothing() throws {
    let release = DispatchSemaphore(value: 0)
    let server = try OneShotServer { _ in release.wait() }
    #expect(throws: ControlError.timedOut(milliseconds: 50, process: getpid())) { try call(server, timeout: 50) }
    release.signal()
    _ = server.request()
  }

  private static let python = "/usr/bin/python3"
  /// Binds as who starts it, and listens as nobody.
  private static let nobodysServer =
    "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); os.setuid(65534); s.listen(); "
    + "print('x', flush=True); sys.stdin.read()"

  @Test(
    "Nothing is sent to a control socket that another user owns",
    .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: python), "needs root, to be another user"))
  func givesNothingToAnotherUsersSocket() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = Process()
    server.executableURL = URL(fileURLWithPath: Self.python)
    server.arguments = ["-c", Self.nobodysServer, ControlSocket.path(home: folder.path)]
    let (input, output) = (Pipe(), Pipe())
    (server.standardInput, server.standardOutput) = (input, output)
    try server.run()
    defer {
      try? input.fileHandleForWriting.close()
      server.waitUntilExit()
    }
    try #require(output.fileHandleForReading.read(upToCount: 1)?.count == 1)
    #expect(throws: ControlError.notOurs(uid: 65534)) {
      try ControlClient.call(home: folder.path, ControlRequest("status"), timeout: 2_000)
    }
  }

  @Test("A missing or killed daemon is reported as not running") func tellsNoDaemonFromABrokenOne() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
    let home = folder.path
    #expect(throws: ControlError.noDaemon) { try ControlClient.call(home: home, ControlRequest("status")) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: ControlError.noDaemon) { try ControlClient.call(home: home, ControlRequest("status")) }
    // What a killed daemon leaves behind: a socket that nobody listens on.
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(ControlSocket.path(home: home).utf8)) }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(socket)
    #expect(FileManager.default.fileExists(atPath: ControlSocket.path(home: home)))
    #expect(throws: ControlError.noDaemon) { try ControlClient.call(home: home, ControlRequest("status")) }
    #expect(!ControlClient.isDaemonRunning(home: home))
  }
}

private func box(_ text: String) throws -> SecretBox {
  try Array(text.utf8).withUnsafeBytes { SecretBox(try SecretBytes(copying: $0)) }
}

@Suite struct ControlResultTests {
  /// What the writer of `JSONValue` makes of the same text.
  @Test(
    "A secret in a result is written as correct JSON text",
    arguments: ["nsec1qqqq", "あいこくしん\u{3000}あい", "\"\\\u{0}\u{1f}\t\n/", "é\u{7f}"])
  func aSecretReadsAsTheTextItIs(text: String) throws {
    let result = ControlResult(
      ["a": 1, "secret": nil, "z": [["b": "c"]]],
      secrets: ["secret": .text(try box(text)), "absent": .text(try box("not shown"))])
    var buffer = try SecretBuffer(capacity: 1)
    try result.writeFilled(to: &buffer)
    #expect(try buffer.withBytes { try JSONValue(parsing: $0) } == ["a": 1, "secret": .string(text), "z": [["b": "c"]]])
  }

  @Test("A list of secrets is written as a JSON list") func aListReadsAsAList() throws {
    var buffer = try SecretBuffer(capacity: 1)
    try ControlResult(["shares": []], secrets: ["shares": .list([try box("a b"), try box("c d")])]).writeFilled(to: &buffer)
    #expect(buffer.withBytes { String(decoding: $0, as: UTF8.self) } == #"{"shares":["a b","c d"]}"#)
  }

  @Test("A printed result shows no secret") func nothingOfItIsPrintedByAccident() throws {
    let result = ControlResult(["nsec": nil], secrets: ["nsec": .text(try box("canary")), "list": .list([try box("canary")])])
    var dumped = ""
    dump(result, to: &dumped)
    for text in ["\(result)", String(reflecting: result), dumped] { #expect(!text.contains("canary")) }
  }
}

@Suite struct ControlRequestTests {

  private func text(_ box: SecretBox?) -> String? { box?.withBytes { String(decoding: $0, as: UTF8.self) } }

  @Test("Secrets in a request are sent outside of the JSON") func secretsTravelOutsideOfTheJSON() throws {
    let request = ControlRequest(
      "identity/import", ["name": "bob"], secrets: ["key": try box("nsec1\n\"x\u{0}"), "password": try box("p w")])
    let body = request.withBody { $0 }
    #expect(String(decoding: body, as: UTF8.self).hasPrefix(#"{"name":"bob","secrets":[["key",9],["password",3]]}"# + "\n"))
    let read = try ControlRequest(operation: "identity/import", body: body)
    #expect(read.parameters == ["name": "bob"])
    #expect(text(read.secrets["key"]) == "nsec1\n\"x\u{0}")
    #expect(text(read.secrets["password"]) == "p w")
  }

  @Test("A written request reads back the same", arguments: ["{}", "", #"{"a":[1,{"b":null}]}"#])
  func readsWhatItWrites(text: String) throws {
    let read = try ControlRequest(operation: "status", body: Array(text.utf8))
    let again = try ControlRequest(operation: "status", body: read.withBody { $0 })
    #expect(again.parameters == read.parameters)
  }

  static let faults: [(String, String, ControlRequestError)] = [
    ("client/list/x", "{}", .operationMalformed),
    ("", "{}", .operationMalformed),
    ("client/", "{}", .operationMalformed),
    ("../x", "{}", .operationMalformed),
    ("Client/List", "{}", .operationMalformed),
    ("status", "[]", .parametersNotObject),
    ("status", "{", .parametersNotJSON(.unexpectedEnd(at: 1))),
    ("status", "{}\nx", .secretsLengthWrong),
    ("status", "{\"secrets\":[[\"a\",2]]}\nx", .secretsLengthWrong),
    ("status", "{\"secrets\":[[\"a\",2]]}", .secretsLengthWrong),
    ("status", "{\"secrets\":[[\"a\",1],[\"a\",1]]}\nxy", .secretsMalformed),
    ("status", "{\"secrets\":[[\"a\",0]]}\n", .secretsMalformed),
    ("status", "{\"secrets\":[[\"a\",-1]]}\n", .secretsMalformed),
    ("status", "{\"secrets\":[[\"a\",9223372036854775807]]}\n", .secretTooLong(limit: 256 << 10)),
    ("status", "{\"secrets\":[[\"a\"]]}\n", .secretsMalformed),
    ("status", "{\"secrets\":{}}\n", .secretsMalformed),
    ("status", "{\"secrets\":[1,2,3,4,5,6,7,8,9]}\n", .tooManySecrets(limit: 8)),
  ]

  @Test("A malformed request body gets an error that names the fault", arguments: faults)
  func namesWhatIsWrongWithABody(operation: String, body: String, fault: ControlRequestError) {
    #expect(throws: fault) { try ControlRequest(operation: operation, body: Array(body.utf8)) }
  }

  @Test("A response survives its form in JSON") func responseSurvivesItsJSON() {
    for response in [
      ControlResponse.success(["a": 1]), .failure(exit: 4, error: "No.", hint: "Ask."),
      .failure(exit: 1, error: "No.", hint: nil),
    ] {
      #expect(ControlResponse(json: response.json) == response)
    }
  }
}

@Suite struct ControlPeerCheckTests {
  private let check = ControlPeerCheck(owner: 1000)

  @Test("The owner's process is admitted") func letsTheOwnerIn() throws {
    let request = try check.admit(method: "POST", path: "/v1/client/list", body: Array(#"{"a":1}"#.utf8), uid: 1000)
    #expect(request.operation == "client/list" && request.parameters == ["a": 1])
  }

  static let refused: [(String, String, String, UInt32?, Int)] = [
    ("POST", "/v1/client/list", "{}", 1001, 403), ("POST", "/v1/client/list", "{}", 0, 403),
    ("POST", "/v1/client/list", "{}", nil, 403), ("GET", "/v1/client/list", "", 1000, 405),
    ("POST", "/v2/client/list", "{}", 1000, 404), ("POST", "/", "{}", 1000, 404), ("POST", "/v1/", "{}", 1000, 400),
    ("POST", "/v1/a/b/c", "{}", 1000, 400), ("POST", "/v1/status", "[]", 1000, 400), ("POST", "/v1/status", "{", 1000, 400),
  ]

  @Test("Other users and malformed calls are refused", arguments: refused) func refusesEverybodyAndEverythingElse(
    method: String, path: String, body: String, uid: UInt32?, status: Int
  ) {
    let refusal = #expect(throws: ControlPeerCheck.Refusal.self) {
      try check.admit(method: method, path: path, body: Array(body.utf8), uid: uid)
    }
    #expect(refusal?.status == status)
  }

  @Test("Only calls from other users are reported", arguments: refused) func tellsOfAStrangerAndOfNobodyElse(
    method: String, path: String, body: String, uid: UInt32?, status: Int
  ) {
    let refusal = #expect(throws: ControlPeerCheck.Refusal.self) {
      try check.admit(method: method, path: path, body: Array(body.utf8), uid: uid)
    }
    #expect(refusal?.isStranger == (uid != 1000))
  }
}
