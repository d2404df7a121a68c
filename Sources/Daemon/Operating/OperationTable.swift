/// What an operation of the owner does, as far as the session is concerned.
enum OperationSort {
  /// It shows something and changes nothing: an open page or a script may ask for it all day, so it holds no session open.
  case looks
  /// Somebody does something.
  case acts
}

extension Operations {
  /// Every operation of the owner. What is not in here is not performed.
  static let table: [String: OperationSort] = [
    "status": .looks, "lock": .acts, "unlock": .acts, "panic": .acts, "resume": .acts, "sign": .acts,
    "doctor/vault": .looks, "doctor/device": .looks, "console/link": .acts, "vault/check": .looks,
    "vault/accept": .acts, "vault/repair": .acts,

    "identity/list": .looks, "identity/show": .looks, "identity/receipt": .looks, "identity/accounts": .looks,
    "identity/rotation": .looks, "identity/create": .acts, "identity/import": .acts, "identity/rename": .acts,
    "identity/delete": .acts, "identity/default": .acts, "identity/export": .acts, "identity/vanity": .acts,
    "identity/set": .acts, "identity/derive": .acts, "identity/class": .acts, "identity/rotate": .acts,
    "identity/succession": .acts, "identity/reset-event": .acts,

    "pair/new": .acts, "pair/accept": .acts, "pair/qr": .looks,

    "client/list": .looks, "client/show": .looks, "client/rename": .acts, "client/trust": .acts, "client/allow": .acts,
    "client/deny": .acts, "client/ask": .acts, "client/forget": .acts, "client/limit": .acts, "client/budget": .acts,
    "client/suspend": .acts, "client/resume": .acts, "client/revoke": .acts,

    "policy/show": .looks, "policy/explain": .looks, "policy/set": .acts,

    "request/list": .looks, "request/show": .looks, RequestWatch.operation: .looks, "request/approve": .acts,
    "request/deny": .acts,

    "log/show": .looks, "log/verify": .looks, "log/prove": .looks, "log/export": .looks, "log/key": .looks,
    "log/checkpoint": .looks, "log/retain": .acts, "log/renew": .acts,

    "slot/list": .looks, "slot/test": .acts, "slot/add": .acts, "slot/passkey-add": .acts, "slot/remove": .acts,
    "slot/rename": .acts, "slot/passphrase": .acts, "slot/rotate": .acts, "slot/enrol": .acts, "slot/bind": .acts,

    "recovery/list": .looks, "recovery/create": .acts, "recovery/test": .acts, "recovery/remove": .acts,
    "recovery/restore": .acts, "recovery/handed-out": .acts,

    "guardian/list": .looks, "guardian/held": .looks, "guardian/requests": .looks, "guardian/asked": .looks,
    "guardian/shares": .looks, "guardian/add": .acts, "guardian/remove": .acts, "guardian/accept": .acts,
    "guardian/listen": .acts, "guardian/open": .acts, "guardian/code": .acts, "guardian/release": .acts,
    "guardian/refuse": .acts, "guardian/cancel": .acts, "guardian/ask": .acts,

    "backup/list": .looks, "backup/plan": .looks, "backup/verify": .looks, "backup/create": .acts,
    "backup/schedule": .acts, "backup/run": .acts,

    "session/show": .looks, "session/set": .acts,

    "push/key": .looks, "push/list": .looks, "push/subscribe": .acts, "push/remove": .acts, "push/test": .acts,
  ]

  /// Whether the owner does something by it that keeps the session open.
  static func isActivity(_ operation: String) -> Bool { table[operation] == .acts }
}
