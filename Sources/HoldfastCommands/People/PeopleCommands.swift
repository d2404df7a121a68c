import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast people show`
enum PeopleShowCommand: OwnerCommand {
  typealias Operation = PeopleShow

  static let place = Command(
    "show", "Show whether requests show the names of people",
    examples: [Example("holdfast people show", "says whether names are looked up")])

  static func text(_ answer: PeopleState, _ reader: Reader) -> String { PeopleText.text(answer) }
}

/// `holdfast people set`
enum PeopleSetCommand: OwnerCommand {
  typealias Operation = PeopleSet

  static let place = Command(
    "set", "Change whether requests show the names of people",
    options: [.value("names", "ON", "Look names up on your relays: on or off", completion: .words(["on", "off"]))],
    examples: [Example("holdfast people set --names on", "requests show what people call themselves, beside their keys")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PeopleState {
    guard let names = line.value("names") else {
      throw .refused(sentence: "'people set' needs --names.", hint: "For example: holdfast people set --names on")
    }
    var request = PeopleState()
    request.showsNames = names == "on"
    return request
  }

  static func text(_ answer: PeopleState, _ reader: Reader) -> String { PeopleText.text(answer) }
}

private enum PeopleText {
  static func text(_ state: PeopleState) -> String {
    state.showsNames
      ? "Requests show what people call themselves. Your relays learn whom Holdfast looks up."
      : "Requests show people by their keys only. To see their names, too: holdfast people set --names on"
  }
}

extension Noun {
  static let people = Noun(
    "people", "Names of people in requests",
    discussion: """
      Requests show people by their public keys. Holdfast can also show what they call themselves in their profiles (kind 0).       It asks your own relays and no others, which then learn whom it looks up. That is why it is off until you turn it on.       Pictures and other addresses in a profile are never opened. A name proves nothing, because anybody can take any name:       compare the key.
      """,
    commands: [PeopleShowCommand.self, PeopleSetCommand.self])
}
