// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A request that names only a browser or phone.
public struct PushSubscriberRequest: Fields {
  /// 16 hex digits.
  public var id = ""

  public init() {}
  public init(_ id: String) { self.id = id }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("id", &id, "Its id in push/list.")
  }
}

/// Returns the public key that a browser needs to subscribe.
public enum PushKey: OwnerOperation {
  public static let properties = OperationProperties.look(
    "push/key", "Return the public key that a browser needs to subscribe to Web Push.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    /// A point of P-256, base64url.
    public var key = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("key", &key, "The signer's public key for Web Push (VAPID), in base64url.")
    }
  }
}

/// Lists the browsers and phones that are notified.
public enum PushList: OwnerOperation {
  public static let properties = OperationProperties.look(
    "push/list", "List the browsers and phones that are notified by Web Push.", from: .session)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var subscriptions: [PushSubscriber] = []
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.objects("subscriptions", &subscriptions, "Each browser or phone.")
    }
  }
}

/// Adds a browser or phone.
public enum PushSubscribe: OwnerOperation {
  public static let properties = OperationProperties.action(
    "push/subscribe", "Notify a browser or phone by Web Push from now on.", from: .recentSignIn, needsUnlocked: true)

  public struct Request: Fields {
    public var endpoint = ""
    /// A point of P-256, base64url without padding.
    public var key = ""
    /// 16 bytes, base64url without padding.
    public var authentication = ""
    /// Shortened to 64 bytes; nil for the push service's host.
    public var label: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text("endpoint", &endpoint, "The https address at its push service.")
      try fields.text("p256dh", &key, "The browser's public key, in base64url without padding.")
      try fields.text(
        "auth", &authentication, "The browser's 16-byte secret for this subscription, in base64url without padding.")
      try fields.text("label", &label, "Your name for it, shortened to 64 bytes; without it, the push service's host.")
    }
  }

  public struct Response: Fields {
    /// 16 hex digits.
    public var id = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("id", &id, "The id for commands, 16 hex digits.")
    }
  }
}

/// Stops telling a browser or phone.
public enum PushRemove: OwnerOperation {
  public static let properties = OperationProperties.action(
    "push/remove", "Stop telling a browser or phone.", from: .session, needsUnlocked: true)
  public typealias Request = PushSubscriberRequest

  public struct Response: Fields {
    public var id = ""
    public var isRemoved = true
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("id", &id, "Its id.")
      try fields.flag("removed", &isRemoved, "Whether it is removed: true.")
    }
  }
}

/// Sends a test message to a browser or phone.
public enum PushTest: OwnerOperation {
  public static let properties = OperationProperties.action(
    "push/test", "Send a test message to a browser or phone.", from: .session, home: .running)
  public typealias Request = PushSubscriberRequest

  public struct Response: Fields {
    public var id = ""
    public var isSent = true
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.anyText("id", &id, "Its id.")
      try fields.flag("sent", &isSent, "Whether it was sent: true. The list shows later whether it arrived.")
    }
  }
}
