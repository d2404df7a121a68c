import CommandLine
import Encodings
import Platform
import TerminalUI

/// Options from the environment, such as `HOLDFAST_PUSH_PUBLIC_URL`.
enum ConfigurationVariables {
  static let prefix = "HOLDFAST_PUSH_"

  /// The options as words of a command line.
  static func words(except typed: Invocation) throws(CommandError) -> [String] {
    try refuseUnknown()
    var words: [String] = []
    for option in PushCommand.root.options where !typed.has(option.name) {
      guard let value = Terminal.environment(name(of: option)) else { continue }
      words += try self.words(for: option, value)
    }
    return words
  }

  static func name(of option: CommandOption) -> String {
    prefix + option.name.uppercased().replacing(text: "-", by: "_")
  }

  /// Those that may be given several times are divided by spaces.
  private static func words(for option: CommandOption, _ value: String) throws(CommandError) -> [String] {
    switch option.shape {
    case .flag:
      guard ["0", "1"].contains(value) else {
        throw CommandError(.usage, "\(name(of: option)) takes 1 or 0.", hint: "1 is for --\(option.name), 0 for not giving it.")
      }
      return value == "1" ? ["--" + option.name] : []
    case .repeated: return value.split(separator: " ").map { "--\(option.name)=\($0)" }
    default: return ["--\(option.name)=\(value)"]
    }
  }

  // MARK: names that are no option's

  private static func refuseUnknown() throws(CommandError) {
    let names = PushCommand.root.options.map(name)
    for (name, value) in all() where !names.contains(name) && !isOfKubernetes(name, value) {
      let close = nearest(to: String(name.dropFirst(prefix.count)), among: names.map { String($0.dropFirst(prefix.count)) })
      throw CommandError(
        .usage, "The environment has \(printable(name, limit: 80)), which is no option.",
        hint: close.map { "Did you mean \(prefix)\($0)?" } ?? "Remove the variable. \(PushProgram.name) --help lists all options."
      )
    }
  }

  /// Kubernetes gives each container such variables of a service by the name of holdfast-push.
  private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
    let rest = name.dropFirst(prefix.count)
    return rest.hasPrefix("SERVICE_") || rest.hasPrefix("PORT_") || (rest == "PORT" && value.includes("://"))
  }

  /// The variables with our prefix, in the order of their names.
  private static func all() -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if text.hasPrefix(prefix), let sign = text.firstIndex(of: "=") {
        found.append((String(text[..<sign]), String(text[text.index(after: sign)...])))
      }
      next += 1
    }
    return found.sorted { $0.name < $1.name }
  }
}
