import CommandLine
import JSON
import TerminalUI

/// `holdfast status` for people: is all well, who is served, what waits, how fast it goes.
enum StatusText {
  static func text(_ result: JSONValue) -> String {
    let isRunning = result["pid"]?.integer != nil
    let running = isRunning ? ", running as process \(ResultText.shown(result["pid"]))" : ", no daemon running"
    return ResultText.pairs([
      ("Holdfast", ResultText.shown(result["version"]) + running), ("Health", health(result)),
      ("Keys", LockText.state(result)),
      ("Home", ResultText.shown(result["home"])), ("Up for", result["uptime"]?.integer.map(TimeSpan.words) ?? ""),
      ("Console", ResultText.shown(result["console"])),
      ("Relays", (result["relays"]?.array ?? []).map(relay).joined(separator: "\n")),
      ("Desktop", ResultText.shown(result["desktop"])),
      ("Identities", ResultText.shown(result["identities"])), ("This device", device(result)), ("Apps", apps(result)),
      ("Waiting", waiting(result)),
      ("Shares", shares(result)),
      ("Requests", requests(result)), ("Answers", answers(result)), ("Left out", leftOut(result)), ("Log", log(result)),
      ("Backup", result["last_backup"]?.integer.map { "last made \(moment($0))" } ?? ""),
      ("Memory", result["memory_kib"]?.integer.map { "\($0 / 1024) MiB" } ?? ""),
    ])
  }

  private static func health(_ result: JSONValue) -> String {
    guard result["health"] != nil else { return "" }
    let isShut = result["suspended"]?.bool == true
    // What is shut is locked as well, and to resume unlocks it: one way out is told.
    let told = (result["problems"]?.array ?? []).filter { !isShut || $0["name"]?.string != "locked" }
    let problems = told.map { problem in
      "\(ResultText.shown(problem["text"])) \(ResultText.shown(problem["hint"]))"
    }
    return problems.isEmpty ? "all is well" : problems.joined(separator: "\n")
  }

  private static func relay(_ relay: JSONValue) -> String {
    let url = ResultText.shown(relay["url"])
    switch relay["state"]?.string {
    case "embedded": return "\(url) (embedded, \(count(relay["connections"], "connection")))"
    case "connected":
      return "\(url) (connected\(relay["last_ok_ms"]?.integer.map { ", takes answers in \($0) ms" } ?? ""))"
    default:
      let why = ResultText.shown(relay["last_error"])
      return "\(url) (\(ResultText.shown(relay["state"]))\(why.isEmpty ? "" : ": \(why)"))"
    }
  }

  private static func device(_ result: JSONValue) -> String {
    guard let binding = result["device_binding"]?.string else { return "" }
    let against = binding.hasPrefix("device.key") ? "" : "against a copy of the whole folder: "
    return "keys of this device only are in no backup; \(against)\(printable(binding))"
  }

  private static func apps(_ result: JSONValue) -> String {
    let links = result["links"]?.integer ?? 0
    return ResultText.shown(result["clients"]) + (links > 0 ? ", and \(count(result["links"], "link")) not used yet" : "")
  }

  private static func waiting(_ result: JSONValue) -> String {
    let waiting = result["waiting"]?.integer ?? 0
    return waiting == 0 ? ResultText.shown(result["waiting"]) : "\(waiting); see them: holdfast request list"
  }

  private static func shares(_ result: JSONValue) -> String {
    let asked = result["share_requests"]?.integer ?? 0
    return asked == 0 ? "" : "asked for by \(asked); see who: holdfast guardian requests"
  }

  private static func requests(_ result: JSONValue) -> String {
    (result["requests"]?.array ?? []).map { method in
      let parts = [("allow", "allowed"), ("ask", "asked"), ("deny", "denied"), ("error", "in error")].compactMap { name, word in
        (method[name]?.integer ?? 0) > 0 ? "\(method[name]?.integer ?? 0) \(word)" : nil
      }
      return "\(ResultText.shown(method["method"])): \(parts.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  private static func answers(_ result: JSONValue) -> String {
    guard let latency = result["latency_ms"], (latency["count"]?.integer ?? 0) > 0 else { return "" }
    func bound(_ name: String) -> String {
      if case .number(let text)? = latency[name] { "within \(text) ms" } else { "later than 10 s" }
    }
    return "half \(bound("p50")), 99 of 100 \(bound("p99"))"
  }

  private static func leftOut(_ result: JSONValue) -> String {
    var lines = (result["dropped"]?.members ?? []).compactMap { member in
      member.value.integer.map { "\($0): \(printable(member.key))" }
    }
    for (name, words) in [
      ("queue_full", "too much waited"), ("unrecorded", "could not be recorded"), ("unpublished", "no relay took the answer"),
    ] {
      if let count = result[name]?.integer, count > 0 { lines.append("\(count): \(words)") }
    }
    let usedLink = (result["dropped"]?[usedLinkReason]?.integer ?? 0) > 0
    if usedLink { lines.append("(Each app needs a link of its own: holdfast pair)") }
    return lines.joined(separator: "\n")
  }

  /// As the signer names it.
  private static let usedLinkReason = "the link was used by an app before"

  private static func log(_ result: JSONValue) -> String {
    let size = result["log_bytes"]?.integer.map { ", \(bytes($0))" } ?? ""
    let free = result["disk_free_bytes"]?.integer.map { "; the disk has \(bytes($0)) left" } ?? ""
    return "\(count(result["log_entries"], "entr", one: "y", many: "ies"))\(size)\(free)"
  }

  private static func bytes(_ count: Int64) -> String {
    switch count {
    case ..<(1 << 20): "\((count + 1023) / 1024) KiB"
    case ..<(10 << 30): "\(count >> 20) MiB"
    default: "\(count >> 30) GiB"
    }
  }

  private static func count(_ value: JSONValue?, _ word: String, one: String = "", many: String = "s") -> String {
    let count = value?.integer ?? 0
    return "\(count) \(word)\(count == 1 ? one : many)"
  }
}
