import Curve
import OwnerAPI
import OwnerWords
import RemoteSigning
import RequestPreview
import Signer

/// What is stored of an answer beyond the request itself.
extension Operations {
  /// Stores the answer as a rule of each app concerned, before any request is answered.
  /// - Returns: the rules, each with the pairing that got it.
  func remember(
    _ answer: RequestAnswer, approve: Bool, about requests: [PendingRequest], via channel: OwnerChannel
  ) throws -> [(pairing: Pairing, permission: Permission)] {
    guard let remembered = answer.remember.map({ Remembered($0) }), remembered != .once else { return [] }
    var rules: [(pairing: Pairing, permission: Permission)] = []
    for request in requests {
      let rule = try rule(answer, approve, remembered, request, channel)
      if !rules.contains(where: { $0.pairing.remoteSigner == rule.pairing.remoteSigner && $0.permission == rule.permission }) {
        rules.append(rule)
      }
    }
    for rule in rules {
      _ = try setRule(approve ? .allow : .deny, rule.permission, of: rule.pairing, for: remembered)
    }
    return rules
  }

  /// The rule that an answer to this request makes: the named rule, or else one as narrow as the request.
  private func rule(
    _ answer: RequestAnswer, _ approve: Bool, _ remembered: Remembered, _ request: PendingRequest, _ channel: OwnerChannel
  ) throws -> (pairing: Pairing, permission: Permission) {
    guard let pairing = home.engine.pairings.first(where: { $0.remoteSigner == request.remoteSigner }) else {
      throw OperationError.noSuchRequest
    }
    let chosen = try answer.permission.map { try Self.permission($0, identity: request.identity.hex) }
    let facts = home.engine.facts(of: request)
    let narrow = Remembering(request, scope: facts?.scope).permission
    let permission = chosen ?? narrow
    guard permission.method == request.method, permission.kind == nil || permission.kind == request.kind else {
      throw OperationError.usage("The permission \(permission) does not fit the request.")
    }
    // A wider rule needs a recent sign-in, as `client/allow` does. Answers need none.
    guard !approve || channel != .console || permission == narrow else {
      throw OperationError.usage(
        "A browser can remember an approval only for requests like this one.", hint: "Allow more on the app's page.")
    }
    if approve { try Self.checkLasts(remembered, permission, request, deletesList: facts?.deletesList ?? false) }
    return (pairing, permission)
  }

  /// Refuses an approval for longer than the longest time that is offered.
  private static func checkLasts(
    _ remembered: Remembered, _ permission: Permission, _ request: PendingRequest, deletesList: Bool
  ) throws {
    let longest = Remembering.offers(for: permission, of: request, deletesList: deletesList).last ?? .once
    if remembered.fits(within: longest) { return }
    guard longest != .once else { throw OperationError.usage("For \(permission), an approval counts once.") }
    let time = longest.text
    throw OperationError.usage("For \(permission), an approval lasts \(time) at most.")
  }
}
