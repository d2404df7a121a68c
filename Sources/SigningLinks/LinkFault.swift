public import RemoteSigning

/// Why a link was not carried out.
public struct LinkFault: Error, Hashable, Sendable {
  /// One stable word for programs.
  public let code: AnswerCode
  /// A sentence for people.
  public let message: String

  /// A fault with its word and its sentence.
  public init(_ code: AnswerCode, _ message: String) { (self.code, self.message) = (code, message) }
}

extension LinkFault {
  static let tooLarge = LinkFault(.tooLarge, "The link is longer than \(LinkText.longest >> 10) KiB.")
  static let notALink = LinkFault(
    .invalid, "This is not a link. A link is ASCII text without spaces, such as keyfob://pubkey?cb=…")
  static let tooManyParameters = LinkFault(.invalid, "The link has more than \(LinkText.mostParameters) parameters.")
  static let twice = LinkFault(.invalid, "The link has a parameter twice.")
  static func notText(_ name: String) -> LinkFault {
    LinkFault(.invalid, "The parameter “\(name)” is not percent-encoded UTF-8.")
  }

  static let unknownScheme = LinkFault(
    .unsupported,
    "Holdfast opens links that begin with keyfob://, holdfast:// or nostrsigner:, and the signer's addresses such as https://HOST/app/sign?…."
  )
  static let unknownAction = LinkFault(
    .unsupported, "The link asks for something that is unknown. Known are “sign” and “pubkey”.")
  static let unknownType = LinkFault(
    .unsupported,
    "The link has an unknown “type”. Known are sign_event, get_public_key, and encrypt and decrypt of nip04 and nip44.")
  static let compression = LinkFault(.unsupported, "The link has an unknown “compressionType”. Known are none and gzip.")

  static func noCallback(_ name: String) -> LinkFault {
    LinkFault(.invalid, "The link does not say where the answer goes: \(name)=https://…")
  }
  static let callbackTooLong = LinkFault(.tooLarge, "The callback is longer than \(Callback.longest) bytes.")
  static let callbackMalformed = LinkFault(
    .invalid, "The callback is not an address such as https://example.com/signed, or it has a user name, a space or a backslash.")
  static let nowhereToAppend = LinkFault(
    .invalid, "The answer is put right behind the callback, so it needs a path or a query: https://example.com/?event=")
  static let callbackInClear = LinkFault(
    .invalid, "The callback is http:// on another machine, so others could read the answer. It must be https://.")
  static func callbackRefused(_ scheme: String) -> LinkFault {
    LinkFault(
      .invalid, "A callback that begins with “\(scheme):” is refused: it can run script, read files or open another signer.")
  }
  static func notRegistered(_ scheme: String) -> LinkFault {
    LinkFault(.invalid, "No app on this machine takes links that begin with “\(scheme):”, so nobody would get the answer.")
  }
  static let otherOrigin = LinkFault(.invalid, "The link says that it comes from another site than the one that gets the answer.")

  static let noPayload = LinkFault(.invalid, "The link has no event: payload=…, in base64url.")
  static let payloadMalformed = LinkFault(.invalid, "The payload is not base64url without padding.")
  static let payloadTooLarge = LinkFault(.tooLarge, "The event is longer than \(SigningLink.longestPayload >> 10) KiB.")
  static let notAnEvent = LinkFault(.invalid, "The payload is not an event: JSON with kind, content and tags.")
  static let alreadySigned = LinkFault(.invalid, "The event has an id or a signature already. Send it without them.")
  static let nonceMalformed = LinkFault(.invalid, "The nonce is longer than \(SigningLink.longestNonce) bytes.")
  static let noPeer = LinkFault(.invalid, "The link does not name the other person: pubkey=, 64 hex digits.")
}
