import Ciphers
import Encodings
import JSON
import OwnerAPI
import Platform
public import SecretMemory
public import Sockets

/// The server side of the console: its pages, its sessions, and the owner's operations for a signed-in browser.
///
/// `answer` and `upgrade` are called on the loop thread and do not wait. Every request is checked in this order: its origin
/// (`OriginCheck`), its session, its CSRF token. Only then are its parameters read.
public final class Console: Sendable {
  /// How the console is reached.
  public struct Options: Sendable {
    /// The addresses it may be reached by. The first one is used in links.
    public var origins: [ConsoleOrigin]
    /// Whether the listener accepts connections on every address of the machine.
    public var takesAnyAddress: Bool
    /// Whether the listener uses TLS.
    public var isSecure: Bool
    /// The listener's port.
    public var port: UInt16
    /// The program's version, which pages show.
    public var version: String
    /// The vault's folder, if commands do not find it without being told. Only the owner's own browser is told.
    public var unusualHome: String?

    /// All options.
    public init(
      origins: [ConsoleOrigin], takesAnyAddress: Bool, isSecure: Bool, port: UInt16, version: String, unusualHome: String? = nil
    ) {
      (self.origins, self.takesAnyAddress, self.isSecure) = (origins, takesAnyAddress, isSecure)
      (self.port, self.version, self.unusualHome) = (port, version, unusualHome)
    }
  }

  /// Headers that the listener must pass on besides the usual ones.
  public static let extraHeaders =
    [csrfHeader, workerHeader, "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-purpose"] + proxyHeaders
  static let csrfHeader = "x-csrf-token"
  /// The path prefix of API calls.
  static let callPrefix = "/api/v1/"

  struct State {
    var sessions = Sessions()
    var links = SignInLinks()
    var linkTickets = LinkTickets()
    var signInLimiter = SignInLimiter()
    /// At the sign-in page, since anybody signed in.
    var wrongPassphrases = 0
    var live = LiveSockets()
    var passkeys: Passkeys
    /// The user handle for a new passkey, by the session that adds it.
    var userHandles: [String: [UInt8]] = [:]
  }

  let options: Options
  let hooks: ConsoleHooks
  let originCheck: OriginCheck
  let state: Locked<State>
  /// Another one after each start, by which a browser knows why its session ended. 16 hex digits, no secret.
  let run = Hex.encode(SystemRandom.bytes(8))
  /// Derives CSRF tokens from session names. Belongs to this process only.
  let csrfKey: SecretBox

  /// A console without sessions.
  /// - Throws: when the system has no memory for secrets.
  public init(_ options: Options, _ hooks: ConsoleHooks) throws(SecretBytesError<Never>) {
    (self.options, self.hooks) = (options, hooks)
    originCheck = OriginCheck(
      origins: options.origins, takesAnyAddress: options.takesAnyAddress, isSecure: options.isSecure, port: options.port)
    let passkeys = Passkeys(hooks.passkeys.load().compactMap { Passkey(record: $0) })
    state = Locked(State(passkeys: passkeys))
    csrfKey = SecretBox(try SecretBytes(randomCount: 32))
  }

  /// Makes a link that signs in once.
  /// - Parameter uid: the one user of this machine whose browser it signs in. Nil for any browser.
  /// - Returns: the link, and when it expires in seconds since 1970. Nil when the console has no address.
  public func makeLink(for uid: UInt32? = nil) -> (url: String, expires: Int64)? {
    guard let origin = options.origins.first else { return nil }
    let now = hooks.now()
    let token = state.withLock { $0.links.make(for: uid, now: now) }
    return ("\(origin.text)/#signin=\(token)", now.wall + SignInLinks.lifeMilliseconds / 1000)
  }

  /// A token for a console that does not run yet, which takes it by `take(signIn:)`.
  public static func newSignInToken() -> String { SignInLinks.newToken() }

  /// Lets a token sign one browser in, once, within ten minutes.
  /// - Parameter token: from `newSignInToken()`.
  public func take(signIn token: String) {
    let now = hooks.now()
    state.withLock { $0.links.take(token, now: now) }
  }

  /// Whether any browser can sign in with a passkey.
  public var hasPasskeys: Bool { state.withLock { !$0.passkeys.all.isEmpty } }

  /// Whether a signed-in page is open.
  public var isPageOpen: Bool { state.withLock { !$0.live.isEmpty } }

  /// Whether browsers of this machine connect to the signer itself, so that the kernel can say whose they are.
  public var isOnThisMachine: Bool { options.origins.first?.isOnThisMachine ?? false }

  /// The address for a browser.
  public var address: String { (options.origins.first?.text ?? "") + "/" }

  // MARK: requests

  /// Answers a plain request.
  public func answer(_ request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) {
    // Wipe in place: a copy made for writing would leave the original bytes. The request ends here, and nobody else reads them.
    defer { request.body.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) } }
    do throws(OriginCheck.Refusal) {
      let origin = try originCheck.origin(of: request)
      if Self.isForeignWorker(request) {
        return answer(removeWorker(request, at: origin).with(SecurityHeaders.all(isSecure: origin.isSecure)))
      }
      guard request.path.utf8.starts(with: Self.callPrefix.utf8) else {
        return answer(page(request.path, request).with(SecurityHeaders.all(isSecure: origin.isSecure)))
      }
      try originCheck.checkCall(request, at: origin)
      take(Call(request, origin)) { reply in answer(reply.response(isSecure: origin.isSecure)) }
    } catch {
      answer(CallReply(error).response(isSecure: false))
    }
  }

  /// - Parameter path: of the file to answer with.
  func page(_ path: String, _ request: HTTPRequest) -> HTTPResponse {
    guard let file = ConsoleFiles.file(at: path) else { return HTTPResponse(status: 404, text: "There is nothing here.") }
    guard request.method == "GET" || request.method == "HEAD" else {
      return HTTPResponse(status: 405, text: "Only GET is allowed here.")
    }
    // Browsers request the files again each time, so that a page and a daemon always have the same version.
    let headers = [
      HTTPHeader("content-type", file.contentType), HTTPHeader("cache-control", "no-cache"), HTTPHeader("etag", file.tag),
    ]
    if request.header("if-none-match") == file.tag { return HTTPResponse(status: 304, headers: headers) }
    return HTTPResponse(status: 200, headers: headers, body: file.bytes)
  }

  private func take(_ call: Call, _ answer: @escaping @Sendable (CallReply) -> Void) {
    if answerStranger(call, answer) { return }
    let now = hooks.now()
    guard let token = call.token, let session = state.withLock({ $0.sessions.use(token, now: now) }) else {
      return answer(.notSignedIn)
    }
    guard isRight(call.csrf, for: session) else { return answer(.wrongCSRF) }
    let answer = { @Sendable (reply: CallReply) in answer(reply.forOwner) }
    if answerSession(call, session, answer) { return }
    guard let need = ConsoleOperation.need(call.operation) else { return answer(.unknownOperation) }
    guard need == .nothing || isProvenRecently(session) else { return answer(.wantsProof) }
    let request: ControlRequest
    do { request = try call.request() } catch { return answer(.malformed(error)) }
    if request.parameters[Self.credential] != nil { return performProven(request, call, session, answer) }
    perform(request, in: session) { response in answer(CallReply(200, response)) }
  }

  /// Runs a slow call on a worker.
  func onWorker(
    _ call: Call, _ answer: @escaping @Sendable (CallReply) -> Void, _ body: @escaping @Sendable (JSONValue) -> CallReply
  ) -> Bool {
    withRequest(call, answer) { answer(body($0.parameters)) }
  }

  /// Runs a slow call that may contain secrets. `body` must answer it.
  func withRequest(
    _ call: Call, _ answer: @escaping @Sendable (CallReply) -> Void, _ body: @escaping @Sendable (ControlRequest) -> Void
  ) -> Bool {
    let request: ControlRequest
    do { request = try call.request() } catch {
      answer(.malformed(error))
      return true
    }
    if !hooks.work({ body(request) }) { answer(.busy) }
    return true
  }

  // MARK: the page's own token

  /// The token with which a page proves that it is one of ours. The page that signs in receives it and keeps it where only pages
  /// of its origin can read it. The cookie alone is not enough, since a browser sends it to every port of a host.
  func csrf(for session: ConsoleSession) -> String {
    let code = csrfKey.withBytes { key in
      Array(session.id.utf8).withUnsafeBytes { HMACSHA256.code(key: key, $0) }
    }
    return Base64URL.string(code.array)
  }

  func isRight(_ given: String?, for session: ConsoleSession) -> Bool {
    guard let given else { return false }
    return Array(given.utf8).withUnsafeBytes { given in
      Array(csrf(for: session).utf8).withUnsafeBytes { constantTimeEqual(given, $0) }
    }
  }
}

extension HTTPResponse {
  func with(_ headers: [HTTPHeader]) -> HTTPResponse {
    var response = self
    response.headers += headers
    return response
  }
}
