import CommandLine
import JSON
import TerminalUI

extension ResultText {
  /// `slot rotate`
  static func rotated(_ result: JSONValue) -> String {
    var lines = ["New keys, everything sealed anew: \(classes(result["rotated"]))."]
    let reasons = result["kept_because"]?.array ?? []
    if !reasons.isEmpty { lines.append("Kept as it was:") }
    lines += reasons.map { "  \(className($0["class"])): \(shown($0["why"]))" }
    return lines.joined(separator: "\n")
  }

  /// `slot enrol`
  static func enrolled(_ result: JSONValue) -> String {
    let (enrolled, closed) = (result["enrolled"]?.array ?? [], result["closed"]?.array ?? [])
    let done = enrolled.isEmpty ? "Nothing was closed." : "The present passkeys open: \(classes(result["enrolled"]))."
    return closed.isEmpty
      ? done : done + "\nStays closed, because the recovery kit has no key for it: \(classes(result["closed"]))."
  }

  /// Names of classes; one whose twin of this device is among them, too, is named once.
  static func classes(_ value: JSONValue?) -> String {
    let names = (value?.array ?? []).compactMap(\.string)
    let twin = ",this-device-only"
    return names.filter { !$0.hasSuffix(twin) || !names.contains(String($0.dropLast(twin.utf8.count))) }
      .map { className(.string($0)) }.joined(separator: "; ")
  }

  /// One class, as people read it.
  static func className(_ value: JSONValue?) -> String {
    shown(value).split(separator: ",").joined(separator: ", ")
  }
}
