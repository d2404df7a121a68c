import Curve
import Encodings
import EntrustedShares
import Guardians
import Nostr
import OwnerAPI
import Signer

/// The requests for shares: those that the person here has to answer, and those that they made.
extension Operations {
  /// The requests that the person here has to answer: for shares kept here, and for the person's own.
  func listShareRequests() throws -> GuardianRequests.Response {
    var response = GuardianRequests.Response()
    let open = try services.guardians.requests().filter(\.isOpen)
    let (own, kept) = (open.filter { $0.part == .owner }, open.filter { $0.part == .guardian })
    let (allowed, waiting) = (own.filter(\.isAllowed), own.filter { !$0.isAllowed })
    response.requests = (Self.takingTurns(allowed) + Self.takingTurns(waiting) + kept.sorted(by: isBefore)).map(summary)
    return response
  }

  /// Orders requests for one's own shares by turns: the first that each guardian reported, then the second, and so on. So no guardian
  /// buries what another reports. What the asker showed does not count, since a guardian can claim anything.
  private static func takingTurns(_ own: [ShareRequest]) -> [ShareRequest] {
    var taken: [PublicKey: Int] = [:]
    let turns = own.map { request in
      defer { taken[request.other, default: 0] += 1 }
      return (turn: taken[request.other, default: 0], request: request)
    }
    return turns.sorted { ($0.turn, $0.request.at) < ($1.turn, $1.request.at) }.map(\.request)
  }

  /// Requests with better proof come first, then those that have waited longest.
  private func isBefore(_ one: ShareRequest, _ other: ShareRequest) -> Bool {
    let order: [ShareRequest.Standing] = [.owner, .code, .unknown]
    let (first, second) = (order.firstIndex(of: one.standing) ?? 0, order.firstIndex(of: other.standing) ?? 0)
    return (first, one.at, one.name) < (second, other.at, other.name)
  }

  func listAsked() throws -> GuardianAsked.Response {
    var response = GuardianAsked.Response()
    response.asked = try services.guardians.requests().filter { $0.part == .asker }.map(summary)
    return response
  }

  func summary(of request: ShareRequest) -> ShareRequestSummary {
    var summary = ShareRequestSummary()
    (summary.id, summary.kit, summary.isForOwn) = (request.name, request.kit, request.part == .owner)
    let isKept = request.part == .guardian
    (summary.from, summary.guardian) = (request.asker.npub, isKept ? nil : request.other.npub)
    (summary.owner, summary.note) = (isKept ? request.third?.npub : nil, request.note)
    (summary.code, summary.at, summary.due) = (Self.code(request.request), request.at, due(request))
    // A share that is being sent counts as allowed for people.
    summary.state = request.isAllowed ? .approved : ShareRequestState(request.state)
    (summary.shares, summary.standing, summary.sent) = (Int64(request.shares), ShareStanding(request.standing), request.sent)
    summary.needsOwner = request.isAllowed && running?.guardians?.keys.isUsable(request.identity) == false
    return summary
  }

  /// When it will probably be given, seconds since 1970. What is kept here waits by a clock that nobody can set.
  private func due(_ request: ShareRequest) -> Int64? {
    var time = request.until
    if request.part == .guardian, request.isOpen { time = (try? services.guardians.expectedEnd(of: request, at: .now)) ?? time }
    return time > 0 ? time : nil
  }

  /// Six digits that both sides see. On the phone they show that the caller is the one who asked.
  private static func code(_ request: Bytes32) -> String {
    let number = request.array.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}

extension ShareRequestState {
  fileprivate init(_ state: ShareRequest.State) {
    self =
      switch state {
      case .waiting: .waiting
      case .approved, .giving: .approved
      case .given: .given
      case .refused: .refused
      case .cancelled: .cancelled
      case .lapsed: .lapsed
      case .displaced: .displaced
      }
  }
}

extension ShareStanding {
  fileprivate init(_ standing: ShareRequest.Standing) {
    self =
      switch standing {
      case .unknown: .unknown
      case .code: .code
      case .owner: .owner
      }
  }
}
