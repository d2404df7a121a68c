import Curve
import Encodings
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer

/// Names that a command takes only whole.
extension Operations {
  /// The app whose pairing a command ends for good, or which may do more from now on. The beginning of a name is not enough: the owner would
  /// not see which app it is.
  /// - Parameter command: the command that allows more; nil for the one that ends the pairing.
  func wholeNamed(_ request: AppRequest, toAllow command: StaticString? = nil) throws -> Pairing {
    do { return try client(request, inPart: false) } catch {
      guard OperationError(error).exit == .notFound else { throw error }
      let meant = try client(request)
      let digits = meant.client.hex.prefix(AppNames.shownDigits)
      throw OperationError.notFound(
        "\(ShownText.quoted(request.client, limit: 100)) is only the beginning of an app's name. Nothing was \(command == nil ? "revoked" : "changed").",
        hint: "The whole name: \(ShownText.quoted(AppName.shown(meant.name, meant.client.hex), limit: 100)). "
          + "Give that, or digits of its key: holdfast client \(command ?? "revoke") \(digits)")
    }
  }
}
