import CommandLine
import Daemon
import JSON
import LocalAccess
import OwnerAPI
import Platform
import Signer
import TerminalUI

/// How long one question waits for news, in seconds.
private let patience: Int64 = 50

/// `request watch`: shows what waits and what comes, until it is stopped or the signer ends.
func watchRequests(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let home = home(invocation)
  let isJSON = invocation.has("json")
  var cursor: String?
  while true {
    let members = [JSONValue.Member("wait", .integer(patience))] + (cursor.map { [.init("after", .string($0))] } ?? [])
    let news = try news(home.path, .object(members))
    let isFirst = cursor == nil
    cursor = news["cursor"]?.string
    let lines = isJSON ? WatchText.lines(news) : WatchText.text(news, isFirst: isFirst, now: Int64(time(nil)))
    for line in lines { guard Output.line(line) else { return .done } }
  }
}

private func news(_ home: String, _ parameters: JSONValue) throws(CommandError) -> JSONValue {
  let response: ControlResponse
  do {
    response = try ControlClient.call(
      home: home, ControlRequest("request/watch", parameters), timeout: Int(patience + 15) * 1000)
  } catch {
    throw error == .noDaemon
      ? CommandError(.failed, "No signer runs on this home.", hint: "Start it with: holdfast up") : CommandError(daemon: error)
  }
  switch response {
  case .success(let result): return result.json
  case .failure(let exit, let error, let hint):
    throw CommandError(ExitCode(rawValue: Int32(clamping: exit)) ?? .failed, error, hint: hint ?? "")
  }
}
