import Curve
import Encodings
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer

/// Names that a command takes only whole.
extension Operations {
  /// The app that a command ends for good. The beginning of a name is not enough: the owner would not see whose pairing ends.
  func wholeNamed(_ request: AppRequest) throws -> Pairing {
    do { return try client(request, inPart: false) } catch {
      guard OperationError(error).exit == .notFound else { throw error }
      let meant = try client(request)
      let digits = meant.client.hex.prefix(AppNames.shownDigits)
      throw OperationError.notFound(
        "\(ShownText.quoted(request.client, limit: 100)) is only the beginning of an app's name. Nothing was revoked.",
        hint: "The whole name: \(ShownText.quoted(AppName.shown(meant.name, meant.client.hex), limit: 100)). "
          + "Give that, or digits of its key: holdfast client revoke \(digits)")
    }
  }
}
