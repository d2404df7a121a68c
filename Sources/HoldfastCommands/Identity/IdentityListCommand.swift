import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity list`
enum IdentityListCommand: OwnerCommand {
  typealias Operation = IdentityList

  static let place = Command("list", "List the identities")

  static func text(_ answer: IdentityList.Response, _ reader: Reader) -> String {
    IdentityText.list(answer.identities, reader)
  }
}
