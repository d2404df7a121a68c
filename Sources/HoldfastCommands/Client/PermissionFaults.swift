import CommandLine
import Encodings
import OwnerAPI
import OwnerOperations
import RemoteSigning
import ResponseTexts

/// What is wrong with the permissions of a command line: all of it at once, each with the permission that was probably meant.
enum PermissionFaults {
  /// - Throws: if one of the texts is no permission. The signer checks whether it may end in `@self`.
  static func check(_ texts: [String]) throws(UsageError) {
    let wrong = texts.compactMap { text in fault(in: text).map { (text: text, fault: $0) } }
    guard let first = wrong.first else { return }
    guard wrong.count > 1 else { throw one(first.text, first.fault) }
    let named = wrong.map { quoted($0.text) }.joined(separator: ", ")
    throw .refused(
      sentence: "\(wrong.count) of these are no permissions: \(named). Nothing was changed.",
      hint: (wrong.map { hint(for: $0.text, $0.fault) } + [forms]).joined(separator: " "))
  }

  /// What permissions look like.
  static let forms = """
    A permission is sign_event:KIND (sign_event:1 for notes), sign_event for all everyday kinds, nip44_encrypt, nip44_decrypt, \
    nip04_encrypt or nip04_decrypt; with @ behind it for one person or place, such as nip44_decrypt@npub1… or \
    sign_event:22242@wss://relay.example.com.
    """

  private static func one(_ text: String, _ fault: PermissionError) -> UsageError {
    let words = OperationError(fault)
    if let meant = meant(by: text) {
      return .refused(sentence: "\(quoted(text)) is no permission.", hint: "Did you mean \(meant)? \(forms)")
    }
    guard fault == .unknownMethod else { return .refused(sentence: words.error, hint: words.hint ?? forms) }
    return .refused(sentence: "\(quoted(text)) is no permission.", hint: forms)
  }

  private static func hint(for text: String, _ fault: PermissionError) -> String {
    if let meant = meant(by: text) { return "\(quoted(text)): did you mean \(meant)?" }
    return "\(quoted(text)): \(fault == .unknownMethod ? "there is no such method." : OperationError(fault).error)"
  }

  private static func quoted(_ text: String) -> String { "“\(foreign(text, limit: 80))”" }

  /// What is wrong with a permission; nil for a good one.
  private static func fault(in text: String) -> PermissionError? {
    PermissionError(in: text.hasSuffix("@self") ? String(text.dropLast("@self".count)) : text)
  }

  private static func meant(by text: String) -> String? { plainWords[text.lowercased()] ?? nearest(to: text) }

  /// The permission with the method that was probably meant. Nil where that is no permission either.
  private static func nearest(to text: String) -> String? {
    let method = String(text.prefix { $0 != ":" && $0 != "@" })
    guard Method(rawValue: method) == nil, let meant = Encodings.nearest(to: method, among: Method.allCases.map(\.rawValue))
    else {
      return nil
    }
    let whole = meant + text.dropFirst(method.count)
    return fault(in: whole) == nil ? whole : nil
  }

  /// What people type for the permissions that they want most.
  private static let plainWords = [
    "post": "sign_event:1", "posts": "sign_event:1", "note": "sign_event:1", "notes": "sign_event:1", "1": "sign_event:1",
    "like": "sign_event:7", "likes": "sign_event:7", "react": "sign_event:7", "repost": "sign_event:6", "boost": "sign_event:6",
    "profile": "sign_event:0", "follow": "sign_event:3", "follows": "sign_event:3", "delete": "sign_event:5",
    "sign": "sign_event", "login": "sign_event:22242", "encrypt": "nip44_encrypt", "decrypt": "nip44_decrypt",
    "dm": "nip44_encrypt", "message": "nip44_encrypt", "messages": "nip44_encrypt",
  ]
}
