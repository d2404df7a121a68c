/// Which of the owner's operations a signed-in browser may ask for. What is not in the table does not exist there.
enum ConsoleOperation {
  /// What an operation needs besides the session.
  enum Need: Equatable {
    case nothing
    /// A sign-in, or a passkey shown again, not long ago: a browser that was left open does not suffice.
    case recentSignIn
  }

  static func need(_ operation: String) -> Need? { table[operation] }

  static let table: [String: Need] = [
    "status": .nothing, "lock": .nothing, "unlock": .nothing, "panic": .nothing, "resume": .recentSignIn,

    "identity/list": .nothing, "identity/show": .nothing, "identity/create": .nothing, "identity/import": .nothing,
    "identity/rename": .nothing, "identity/default": .nothing, "identity/delete": .recentSignIn,
    "identity/export": .recentSignIn,

    "pair/new": .recentSignIn, "pair/accept": .recentSignIn, "pair/qr": .nothing,

    // What gives an app more wants the owner; what takes something away does not.
    "client/list": .nothing, "client/show": .nothing, "client/rename": .nothing, "client/trust": .recentSignIn,
    "client/allow": .recentSignIn, "client/deny": .nothing, "client/ask": .recentSignIn, "client/forget": .recentSignIn,
    "client/limit": .recentSignIn, "client/budget": .recentSignIn, "client/revoke": .nothing, "client/suspend": .nothing,
    "client/resume": .recentSignIn,

    "request/list": .nothing, "request/show": .nothing, "request/approve": .nothing, "request/deny": .nothing,

    "policy/show": .nothing, "policy/set": .recentSignIn, "policy/explain": .nothing,

    "log/show": .nothing, "log/verify": .nothing, "log/prove": .nothing, "log/key": .nothing, "log/export": .nothing,
    "log/retain": .recentSignIn,

    "slot/list": .nothing, "slot/test": .nothing, "slot/add": .recentSignIn, "slot/remove": .recentSignIn,
    "slot/rename": .nothing, "slot/passphrase": .recentSignIn, "slot/rotate": .recentSignIn, "slot/enrol": .recentSignIn,
    "slot/bind": .recentSignIn,
    "slot/passkey-options": .nothing, "slot/passkey-add": .recentSignIn, "slot/unlock-options": .nothing,
    "recovery/list": .nothing, "recovery/create": .recentSignIn, "recovery/test": .nothing, "recovery/handed-out": .nothing,
    "recovery/remove": .recentSignIn,
    "guardian/list": .nothing, "guardian/add": .recentSignIn, "guardian/remove": .recentSignIn, "guardian/held": .nothing,
    "guardian/accept": .recentSignIn,
    "guardian/requests": .nothing, "guardian/release": .recentSignIn, "guardian/refuse": .nothing, "guardian/cancel": .nothing,
    "guardian/asked": .nothing, "guardian/listen": .nothing, "guardian/code": .recentSignIn, "guardian/open": .recentSignIn,
    "backup/list": .nothing, "backup/create": .recentSignIn, "backup/verify": .nothing, "backup/schedule": .recentSignIn,
    "backup/plan": .nothing, "backup/run": .nothing,
    "session/show": .nothing, "session/set": .recentSignIn,
    "identity/set": .nothing, "identity/receipt": .nothing, "identity/accounts": .nothing, "identity/derive": .nothing,
    "identity/class": .recentSignIn, "identity/rotate": .recentSignIn, "identity/rotation": .nothing,
    "identity/succession": .recentSignIn, "identity/reset-event": .recentSignIn,

    "push/key": .nothing, "push/subscribe": .nothing, "push/list": .nothing, "push/remove": .nothing, "push/test": .nothing,
  ]
}
