import Curve
import JSON
import Nostr
import RemoteSigning

/// What a waiting request would do, in one line for the owner.
enum RequestSummary {
  /// The longest text of the app that is shown, in characters.
  static let longestExcerpt = 120

  static func text(_ request: PendingRequest) -> String {
    switch request.method {
    case .signEvent: "sign \(event(request))"
    case .nip04Encrypt, .nip44Encrypt: "encrypt \(length(request)) bytes to \(peer(request))"
    case .nip04Decrypt, .nip44Decrypt: "decrypt a message from \(peer(request))"
    case .getPublicKey: "learn your public key"
    default: request.method.rawValue
    }
  }

  private static func event(_ request: PendingRequest) -> String {
    let kind = request.kind ?? 0
    let template = request.parameters.first.flatMap { try? EventTemplate(parsing: $0) }
    let content = excerpt(template?.content ?? "")
    let name = KindName.isKnown(kind) ? "kind \(kind) (\(KindName(kind).name))" : "kind \(kind)"
    let tags = (template?.tags ?? []).count
    return name + (content.isEmpty ? "" : ": “\(content)”") + (tags == 0 ? "" : ", \(tags) tag\(tags == 1 ? "" : "s")")
  }

  private static func excerpt(_ text: String) -> String {
    let cleaned = ShownText.inSentence(text, limit: 4096)
    return cleaned.count <= longestExcerpt ? cleaned : cleaned.prefix(longestExcerpt) + "…"
  }

  private static func length(_ request: PendingRequest) -> Int { request.parameters.count > 1 ? request.parameters[1].count : 0 }

  private static func peer(_ request: PendingRequest) -> String {
    let hex = request.parameters.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return PublicKey(hex: hex).map(\.npub) ?? "an unknown key"
  }
}
