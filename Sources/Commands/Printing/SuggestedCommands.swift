/// Makes the commands that a sentence tells the reader to type work as they stand, for a home that was named with `--home`.
public struct SuggestedCommands: Sendable {
  private let home: String?

  /// - Parameter home: as it was given with `--home`; nil where commands find the home by themselves.
  public init(home: String?) { self.home = home.map(Self.quoted) }

  /// The text with `--home FOLDER` behind each `holdfast` that begins a command.
  public func text(_ text: String) -> String {
    guard let home else { return text }
    var pieces = text.components(separatedBy: Self.program)
    for index in pieces.indices.dropFirst() where Self.beginsCommand(pieces[index]) {
      pieces[index] = "--home \(home) " + pieces[index]
    }
    return pieces.joined(separator: Self.program)
  }

  private static let program = "holdfast "
  private static let verbs = Set(Command.holdfast.verbs.map(\.name))

  private static func beginsCommand(_ text: String) -> Bool {
    verbs.contains(String(text.prefix { $0.isASCII && $0.isLetter }))
  }

  /// As a shell takes it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || [0x2D, 0x2E, 0x2F, 0x5F].contains($0)
    }
    return isPlain && !path.isEmpty
      ? path
      : "'" + printable(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"), limit: 4096)
        + "'"
  }
}

extension String {
  /// The parts between a separator, which has a byte at least.
  fileprivate func components(separatedBy separator: String) -> [String] {
    var (parts, rest) = ([String](), self[...])
    while let found = rest.firstRange(of: separator) {
      parts.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return parts + [String(rest)]
  }
}
