import CommandLine
import JSON
import TerminalUI

extension ResultText {
  static func session(_ result: JSONValue, _ now: Int64) -> String {
    let after = result["lock_after"]?.integer
    var lines = [result["locked"]?.bool == true ? "The session is locked." : "The session is open."]
    lines.append(
      "Locks after \(after.map(TimeSpan.words) ?? "no time") without a command of yours"
        + (result["until"]?.integer.map { ", in \(TimeSpan.words($0 - now)) from now." } ?? "."))
    lines.append(signal("Locks before the machine sleeps", result["lock_on_suspend"], result["hears_suspend"]))
    lines.append(signal("Locks with the desktop", result["lock_on_desktop_lock"], result["hears_desktop_lock"]))
    return lines.joined(separator: "\n")
  }

  private static func signal(_ what: String, _ isOn: JSONValue?, _ isHeard: JSONValue?) -> String {
    guard isOn?.bool == true else { return "\(what): no." }
    return "\(what): yes"
      + (isHeard?.bool == true ? "." : ", but nothing here says when (no signer runs, or no system service tells).")
  }
}
