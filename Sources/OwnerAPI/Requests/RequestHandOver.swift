// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Gives the running signer the request that a push told of. `holdfast-wake` calls it when it finds a signer running.
public enum RequestHandOver: OwnerOperation {
  public static let properties = handOver

  // A push is not the owner: it must not keep a session open.
  private static let handOver: OperationProperties = {
    var properties = OperationProperties.action(
      "request/hand-over", "Give the running signer a request that a push told of.", from: .controlSocket, home: .running)
    properties.isActivity = false
    return properties
  }()

  public struct Request: Fields {
    public var relay = ""
    /// The event as JSON; nil if the push did not have it.
    public var event: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("relay", &relay, "The relay that has the request and gets the answer: wss://… or ws://….")
      try fields.text(
        "event", &event, "The event that carries the request, as JSON in a text; without it, the signer asks its relays again.")
    }
  }

  public struct Response: Fields {
    public var isTaken = false
    public init() {}
    public init(isTaken: Bool) { self.isTaken = isTaken }
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag(
        "taken", &isTaken, "Whether the signer has it and answers by its rules; false if no app or link names that relay.")
    }
  }
}
