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
  /// - Parameter allows: whether the command allows more; false for the one that ends the pairing.
  func wholeNamed(_ request: AppRequest, toAllow allows: Bool = false) throws -> Pairing {
    do {
      let found = try client(request, inPart: false)
      if allows { try checkIsNotShort(request.client, for: found) }
      return found
    } catch {
      guard OperationError(error).exit == .notFound else { throw error }
      let meant = try client(request)
      let digits = meant.client.hex.prefix(AppNames.shownDigits)
      throw OperationError.notFound(
        "\(ShownText.quoted(request.client, limit: 100)) is only the beginning of an app's name. Nothing was \(allows ? "changed" : "revoked").",
        hint:
          "Give the whole name, \(ShownText.quoted(AppName.shown(meant.name, meant.client.hex), limit: 100)), or digits of its key: "
          + "\(digits)")
    }
  }

  /// Refuses a change that lets an app do more if the app was found by the beginning of a name.
  func checkIsWhole(_ request: AppRequest, toAllow pairing: Pairing) throws {
    guard try wholeNamed(request, toAllow: true).remoteSigner == pairing.remoteSigner else { throw Self.leftMeanwhile }
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
