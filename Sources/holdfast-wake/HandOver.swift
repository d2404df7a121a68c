import CommandLine
import JSON
import LocalAccess
import Nostr
import OwnerAPI
import Sockets
import TerminalUI
import Vault
import Wake

/// What a wake does while a signer runs on the vault: that one answers.
enum HandOver {
  /// How long the signer may take to accept it, in milliseconds.
  private static let milliseconds = 10_000

  /// - Returns: the outcome; nil if no signer takes calls, because it just ended or is about to.
  static func answered(_ target: WakeTarget, home: String) throws(CommandError) -> WakeOutcome? {
    var request = RequestHandOver.Request()
    request.relay = target.relay.text
    request.event = target.event.map { String(decoding: $0.json(), as: UTF8.self) }
    let response: ControlResponse
    do throws(ControlError) {
      response = try ControlClient.call(home: home, RequestHandOver.call(request), timeout: milliseconds)
    } catch .noDaemon { return nil } catch {
      throw CommandError(.failed, "The signer that runs on this vault does not answer.", hint: "To see why: holdfast doctor")
    }
    return try outcome(response)
  }

  private static func outcome(_ response: ControlResponse) throws(CommandError) -> WakeOutcome {
    switch response {
    case .success(let result): return result.json["taken"]?.bool == true ? .handedOver : .notOurs
    case .failure(_, let error, let hint, _, _, _):
      throw CommandError(.failed, printable(error, limit: 300), hint: hint ?? "To see why: holdfast doctor")
    }
  }
}
