package import OwnerAPI
import TerminalUI

/// Sentences of several commands of `holdfast guardian`.
package enum GuardianText {
  package static func requestCode(kit: String, _ code: String) -> String {
    """
    Request code of kit \(shown(kit)): \(shown(code))
    Write it on your papers. When you ask for a share, the code tells you apart from strangers. It opens nothing.
    """
  }

  package static func requests(_ requests: [ShareRequestSummary]) -> String {
    requests.isEmpty ? "Nobody has asked for a share." : requests.map(request).joined(separator: "\n\n")
  }

  package static func request(_ request: ShareRequestSummary) -> String {
    let cancel = " (for YOUR share; not you? holdfast guardian cancel \(shown(request.id)))"
    return pairs([
      ("Request", shown(request.id) + (request.isForOwn ? cancel : "")), ("Kit", shown(request.kit)),
      ("Asked by", shown(request.from)), ("Guardian", shown(request.guardian)), ("Owner", shown(request.owner)),
      ("Showed", standing(request.standing)), ("Note", foreign(request.note)), ("Code", shown(request.code)),
      ("Asked", date(request.at)), ("Not before", date(request.due)), ("State", state(request)),
    ])
  }

  /// What an asker showed to prove who they are.
  private static func standing(_ standing: ShareStanding) -> String {
    switch standing {
    case .owner: "the key the share came from"
    case .code: "the kit's request code"
    case .unknown: "no proof: anybody who knows the kit's number can ask"
    }
  }

  private static func state(_ request: ShareRequestSummary) -> String {
    let isSilent = request.state == .waiting && request.guardian != nil && !request.isForOwn
    return shown(request.state)
      + (request.needsOwner ? "; the share is given when you open the key: holdfast guardian open" : "")
      + (request.state == .displaced ? ": newer requests replaced it. Ask again, with --code" : "")
      + (isSilent ? ": a guardian's Holdfast does not answer before the guardian agrees. Call them" : "")
  }
}
