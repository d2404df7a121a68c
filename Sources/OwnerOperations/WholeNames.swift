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
    do {
      let found = try client(request, inPart: false)
      if command != nil { try checkIsNotShort(request.client, for: found) }
      return found
    } catch {
      guard OperationError(error).exit == .notFound else { throw error }
      let meant = try client(request)
      let digits = meant.client.hex.prefix(AppNames.shownDigits)
      throw OperationError.notFound(
        "\(ShownText.quoted(request.client, limit: 100)) is only the beginning of an app's name. Nothing was \(command == nil ? "revoked" : "changed").",
        hint: "The whole name: \(ShownText.quoted(AppName.shown(meant.name, meant.client.hex), limit: 100)). "
          + "Give that, or digits of its key: holdfast client \(command ?? "revoke") \(digits)")
    }
  }

  /// An app chooses its name, perhaps one that is short for the name of an app that was there before.
  private func checkIsNotShort(_ text: String, for found: Pairing) throws {
    guard !AppNames.isKey(AppNames.asTyped(text)) else { return }
    let (names, pairings) = (appsByName, home.engine.pairings)
    let earlier = Set(
      pairings.filter { $0.pairedAt < found.pairedAt && $0.remoteSigner != found.remoteSigner }.map(\.remoteSigner))
    let meant = names.beginning(with: text).filter { app in app.remoteSigner.map(earlier.contains) ?? false }
    guard !meant.isEmpty else { return }
    throw AppNames.several(meant + names.apps.filter { $0.remoteSigner == found.remoteSigner })
  }
}
