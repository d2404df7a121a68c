// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Has a push proxy wake this device when apps ask.
public enum PushRegister: OwnerOperation {
  public static let properties = OperationProperties.action(
    "push/register", "Register the key of each app at a push proxy, which wakes this device when the app asks.",
    from: .controlSocket, needsUnlocked: true)

  public struct Request: Fields {
    public var proxy = ""
    /// A subscription as JSON, a UnifiedPush address or an Apple device token.
    public var device = ""
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.text(
        "proxy", &proxy, "The proxy's address exactly as it calls itself: https://…, or http://… on this machine.")
      try fields.text(
        "device", &device,
        "Where the device is woken: a Web Push subscription as JSON, a UnifiedPush address, or an Apple device token in hex.")
    }
  }

  public typealias Response = PushRegistrationState
}

/// Has the push proxy forget this device.
public enum PushUnregister: OwnerOperation {
  public static let properties = OperationProperties.action(
    "push/unregister", "Have the push proxy forget the key of each app, and this device.", from: .controlSocket,
    needsUnlocked: true)
  public typealias Request = Nothing
  public typealias Response = PushRegistrationState
}

/// Shows what is registered at the push proxy.
public enum PushStatus: OwnerOperation {
  public static let properties = OperationProperties.look(
    "push/status", "Show which apps the push proxy acknowledged, what waits, and whether the proxy answers.",
    from: .controlSocket, lane: .beside)
  public typealias Request = Nothing

  public struct Response: Fields {
    public var isServed = true
    public var state = PushRegistrationState()
    public var isAnswering: Bool?
    public var trouble: String?
    public init() {}
    public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
      try fields.flag("ok", &isServed, "False if a proxy is named and does not serve.")
      try state.visit(fields)
      try fields.flag("answers", &isAnswering, "Whether the proxy answered just now and is well; null without a proxy.")
      try fields.text("proxy_error", &trouble, "What is wrong with the proxy, in words; null for nothing.")
    }
  }
}

/// The push proxy that the owner named, and how far each app is.
public struct PushRegistrationState: Fields {
  public var proxy: String?
  public var host: String?
  /// Seconds since 1970.
  public var since: Int64?
  public var isRunning = false
  public var apps: [RegisteredApp] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("proxy", &proxy, "The proxy's address; null for none.")
    try fields.text("push_service", &host, "The host of the device's push service; null without a proxy.")
    try fields.integer("since", &since, "When you named the proxy, in seconds since 1970; null without one.")
    try fields.flag("signer_runs", &isRunning, "Whether a signer runs, which tells the proxy what it should know.")
    try fields.objects("apps", &apps, "Each app that is registered, or is to be, or was.")
  }
}

/// How far the registration of one app's key is.
public struct RegisteredApp: Fields {
  public enum State: String, Word {
    case registered, waiting
    /// Its pairing or the registration ended, and the proxy is told so.
    case leaving
  }

  /// Nil for an app whose pairing ended.
  public var name: String?
  /// 64 hex digits.
  public var signer = ""
  public var proxy = ""
  public var state = State.waiting
  /// Seconds since 1970, like the next.
  public var since: Int64?
  public var next: Int64?
  public var error: String?
  public var endsWithSigner = false

  public init() {}

  /// Whether the app stays registered although its requests reach no proxy: its only relay ends with the signer.
  public var cannotWake: Bool { endsWithSigner && state != .leaving }

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.text("name", &name, "The app's name; null for an app whose pairing ended.")
    try fields.anyText("signer", &signer, "The public key that the signer uses for this app, 64 hex digits.")
    try fields.anyText("proxy", &proxy, "The proxy's address.")
    try fields.word("state", &state, "Whether the proxy has all that it should have.")
    try fields.integer(
      "since", &since, "When the proxy first acknowledged the device for it, in seconds since 1970; null for not yet.")
    try fields.integer("next", &next, "When the proxy is asked next, in seconds since 1970; null for not before the renewal.")
    try fields.text("error", &error, "Why the last attempt failed, in words; null for nothing.")
    try fields.flag(
      "only_own_relay", &endsWithSigner,
      "Whether the app knows only the signer's own relay, which ends with the signer: then it cannot wake it.")
  }
}
