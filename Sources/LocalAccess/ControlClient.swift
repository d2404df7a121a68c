import JSON
public import OwnerAPI
import Platform

/// Calls the daemon through its control socket. Blocks the calling thread.
public enum ControlClient {
  /// The longest answer, headers included, in bytes.
  public static let longestAnswer = 16 << 20

  /// Performs one operation and waits for the result.
  /// - Parameters:
  ///   - home: the vault's folder.
  ///   - timeout: for the whole call, in milliseconds.
  ///   - onSilence: called when three seconds have passed without an answer.
  /// - Throws: `.noDaemon` when no daemon runs; the caller may then open the vault itself. Every other error means that one runs.
  public static func call(
    home: String, _ request: ControlRequest, timeout: Int = 60_000, onSilence: (@Sendable (_ process: Int32) -> Void)? = nil
  ) throws(ControlError) -> ControlResponse {
    let connection = try ControlConnection(home: home, timeout: timeout, onSilence: onSilence)
    try request.withBody { body throws(ControlError) in
      let head = """
        POST /v1/\(request.operation) HTTP/1.1\r
        Host: holdfast\r
        Content-Type: application/json\r
        Content-Length: \(body.count)\r
        Connection: close\r
        \r\n
        """
      try connection.write(Array(head.utf8))
      try connection.write(body)
    }
    var reader = try AnswerReader(limit: longestAnswer)
    while try !reader.isWhole(try connection.read(into: &reader)) {}
    guard let response = reader.withBody({ ControlResponse(framed: $0, limits: JSONLimits(bytes: longestAnswer)) }) else {
      throw .answerMalformed
    }
    return response
  }

  /// The process of the daemon that runs on this vault.
  /// - Throws: `.noDaemon` when none runs.
  public static func process(home: String) throws(ControlError) -> Int32 {
    try ControlConnection(home: home, timeout: 5000).process
  }

  /// Whether a daemon runs on this vault.
  public static func isDaemonRunning(home: String) -> Bool {
    (try? ControlConnection(home: home, timeout: 5000)) != nil
  }
}
