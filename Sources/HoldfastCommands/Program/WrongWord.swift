import CommandLine
import ResponseTexts
import TerminalUI

/// Repeats in an error the word of the command line that is wrong, so that nobody has to look for it: `There is no identity of that name: “bbob”.`
///
/// Only places for what is public are read, and no word that could be a key or a passphrase: a secret may have been typed where it does not
/// belong, and errors go into logs.
struct WrongWord {
  private let line: Invocation
  private let words: [String]

  /// - Parameters:
  ///   - line: as far as it could be read.
  ///   - words: the whole command line.
  init(_ line: Invocation, _ words: [String]) { (self.line, self.words) = (line, words) }

  /// The error with the word in it, if the error is about one.
  func naming(_ error: CommandError) -> CommandError {
    for (sentence, joint, places) in Self.sentences where error.error.hasPrefix(sentence + ".") {
      guard let word = word(in: places) else { return error }
      return error.saying(sentence + joint + word + error.error.dropFirst(sentence.count))
    }
    guard error.exit == .usage, let word = valueOfOption(error.error) ?? allowedArgument(error.error) else { return error }
    return error.error.hasSuffix(".") ? error.saying("\(error.error.dropLast()), not \(word).") : error
  }

  // MARK: sentences

  /// The signer's and our sentences about one word, without their full stop, what joins the word to them, and where on the command line it
  /// may stand.
  private static let sentences: [(sentence: String, joint: String, places: [String])] = [
    ("No paired app has that name or key", ": ", ["client", "app"]),
    ("No app in the log has that name or key", ": ", ["client", "app"]),
    ("There is no identity of that name", ": ", ["name", "identity"]),
    ("No waiting request has that id", ": ", ["id", "ids", "all-like"]),
    ("A request's id has at least four hex digits, such as 3f2a", ", not ", ["id", "ids", "all-like"]),
    ("There is no such slot", ": ", ["id"]),
    ("No unused link begins with these digits", ": ", ["cancel"]),
    ("There is no recovery kit with that number", ": ", ["kit", "id"]),
    ("There is no guardian and no kept share of that name", ": ", ["name"]),
    ("No program, site or link has that name", ": ", ["name", "client", "id"]),
    ("That type of entry does not exist", ": ", ["entry"]),
    ("That class does not exist", ": ", ["class"]),
    ("SEQUENCE must be the number of an entry", ", not ", ["sequence"]),
    ("The number of an entry is a whole number, such as 7", ", not ", ["sequence", "number"]),
    ("A kind must be a number from 0 to 65535", ", not ", ["permission", "permissions", "kind"]),
  ]

  /// Options and arguments whose values are public, and short.
  private static let publicPlaces: Set = [
    "kind", "since", "until", "before", "limit", "for", "trust", "default-trust", "local-trust", "per-minute", "per-hour",
    "per-day", "count",
    "relay", "listen", "every", "keep", "delay", "valid", "expires", "lock-after", "desktop", "shell", "browser", "decision",
    "id", "state",
  ]

  /// The value of the option that the sentence is about: `--kind takes a whole number …`.
  private func valueOfOption(_ sentence: String) -> String? {
    guard sentence.hasPrefix("--"), let end = sentence.firstIndex(of: " "), sentence[end...].hasPrefix(" takes ") else {
      return nil
    }
    let option = String(sentence[..<end])
    guard Self.publicPlaces.contains(String(option.dropFirst(2))) else { return nil }
    let places = words.indices.filter { words[$0] == option || words[$0].hasPrefix(option + "=") }
    // Of several relays, nobody says which one is wrong.
    guard let place = places.first, places.count == 1 else { return nil }
    let joined = words[place].dropFirst(option.count + 1)
    return shown(words[place] == option ? words.dropFirst(place + 1).first ?? "" : String(joined))
  }

  /// The argument that the sentence is about: `TRUST must be full, medium or low.`
  private func allowedArgument(_ sentence: String) -> String? {
    let parts = sentence.split(separator: " ", maxSplits: 3)
    guard parts.count == 4, parts[1] == "must", parts[2] == "be", parts[0].allSatisfy({ $0.isUppercase || $0 == "-" }) else {
      return nil
    }
    let name = parts[0].lowercased()
    guard Self.publicPlaces.contains(name) else { return nil }
    return (line.argument(name) ?? firstRefused).flatMap(shown)
  }

  /// The word at which the parser stops.
  private var firstRefused: String? {
    for end in words.indices {
      do throws(UsageError) { _ = try ArgumentParser.holdfast.parse(Array(words[...end])) } catch {
        if case .argumentNotAllowed = error { return words[end] }
      }
    }
    return nil
  }

  // MARK: words

  /// The one word in these places; nil for none and for several.
  private func word(in places: [String]) -> String? {
    let found = places.flatMap { place in
      [line.argument(place)].compactMap { $0 } + line.arguments(place) + line.values(place)
    }
    return found.count == 1 ? shown(found[0]) : nil
  }

  /// The longest word that is repeated, in bytes. Keys and passphrases are longer.
  private static let longest = 40

  private func shown(_ word: String) -> String? {
    guard (1...Self.longest).contains(word.utf8.count), !word.lowercased().hasPrefix("nsec1") else { return nil }
    return "“\(foreign(word))”"
  }
}

extension CommandError {
  /// The same error in other words.
  fileprivate func saying(_ sentence: String) -> CommandError {
    var said = CommandError(exit, sentence, hint: hint)
    (said.usage, said.tryAgainIn) = (usage, tryAgainIn)
    return said
  }
}
