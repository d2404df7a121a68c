import Curve
import JSON
import Nostr
import RemoteSigning

/// Describes what an encryption or decryption would do: the other person, and the text.
struct MessageDescription {
  private(set) var title: String
  private(set) var page: DescriptionPage

  init(_ request: PendingRequest) {
    let hex = request.parameters.first.map { String(decoding: $0.prefix(128), as: UTF8.self) } ?? ""
    let text = request.parameters.count > 1 ? request.parameters[1] : []
    page = DescriptionPage(identity: request.identity)
    let isSelf = PublicKey(hex: hex) == request.identity
    title =
      RequestTitle.words(
        request.method, kind: nil, RequestHeading.ofMessage(request.method, request.parameters, request.identity)) ?? ""
    if request.method == .nip44Encrypt || request.method == .nip04Encrypt {
      page.peer("To", hex: hex)
      tell(text)
    } else {
      page.peer("Between you and", hex: hex)
      // Both sides have the same key for it, so not even its plaintext would tell.
      if !isSelf, PublicKey(hex: hex) != nil { page.fact("Written by", "one of you two; the encryption does not say which") }
      page.fact("Size", "\(text.count) byte\(text.count == 1 ? "" : "s"), encrypted")
      page.fact("Then", "the app reads the message; it stays encrypted until you approve")
      if isSelf {
        page.warning(
          "You encrypted this to yourself: a private list, a draft, or the tokens and keys of a wallet, which are money.")
      }
    }
    if request.method == .nip04Encrypt || request.method == .nip04Decrypt { page.fact("Encryption", "the old method, NIP-04") }
  }

  // A private message contains an event (NIP-17, NIP-59). The event's text is shown.
  private mutating func tell(_ text: [UInt8]) {
    guard text.first == UInt8(ascii: "{"), let inner = try? EventTemplate(parsing: text) else {
      return page.text("Message", String(decoding: text, as: UTF8.self))
    }
    page.fact("Contains", "an event: \(KindName(inner.kind).name)")
    if inner.kind == 13 {
      let count = inner.content.utf8.count
      page.fact("Content", "\(count) byte\(count == 1 ? "" : "s"), already encrypted")
    } else {
      page.text("Message", inner.content)
    }
    for tag in inner.tags.filter({ $0.first == "p" && $0.count > 1 }).prefix(DescriptionPage.mostReferences) {
      page.peer("Addressed to", hex: tag[1])
    }
  }
}
