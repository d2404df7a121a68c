/// A parsed command line: which command, with what.
public struct Invocation: Sendable, Equatable {
  /// The words that selected the command, without the program's name: `["client", "list"]`.
  public internal(set) var path: [String] = []
  /// The values of each option that was given, in order; a flag has an empty list.
  public internal(set) var options: [String: [String]] = [:]
  /// The words that follow the command, by the name of their place.
  public internal(set) var arguments: [String: String] = [:]

  /// The words in a place that may be filled several times, by its name.
  public internal(set) var lists: [String: [String]] = [:]

  /// The command as one text: `client list`.
  public var name: String { path.joined(separator: " ") }

  /// Whether the flag or option was given.
  public func has(_ option: String) -> Bool { options[option] != nil }

  /// The option's value, nil when it was not given.
  public func value(_ option: String) -> String? { options[option]?.last }

  /// The values of an option that may be repeated.
  public func values(_ option: String) -> [String] { options[option] ?? [] }

  /// The word in the named place, nil when it was left out.
  public func argument(_ name: String) -> String? { arguments[name] }

  /// All words in a place that may be filled several times.
  public func arguments(_ name: String) -> [String] { lists[name] ?? [] }

  /// The option's value as a whole number.
  /// - Throws: `.valueNotANumber` for anything but decimal digits within `range`.
  public func integer(_ option: String, in range: ClosedRange<Int64>) throws(UsageError) -> Int64? {
    guard let text = value(option) else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), range.contains(number) else {
      throw .valueNotANumber(option: option, from: range.lowerBound, to: range.upperBound)
    }
    return number
  }
}
