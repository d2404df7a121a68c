import Encodings
import OwnerAPI
import RemoteSigning

extension OperationError {
  /// The error for an identity that does not exist, with the name that was probably meant.
  static func noIdentity(named name: String?, among names: [String]) -> OperationError {
    let near = name.flatMap { nearest(to: $0, among: names) }
    return OperationError.notFound(
      "There is no identity of that name.", hint: near.map(didYouMean) ?? "See: holdfast identity list")
  }

  /// - Parameter name: one that the owner gave, or one that an app gave itself.
  static func didYouMean(_ name: String) -> String {
    "Did you mean \(ShownText.quoted(name, limit: longestName))?"
  }

  /// The longest name that an error shows, in bytes.
  private static let longestName = 64
}
