public import JSON

/// The outcome of an operation.
public enum ControlResponse: Sendable, Equatable {
  /// The operation succeeded.
  case success(ControlResult)
  /// The operation failed.
  /// - Parameters:
  ///   - exit: the exit code of the command: 1 failed, 2 usage, 3 locked, 4 denied, 5 not found.
  ///   - error: what happened and what it means, one sentence for the owner. Never a secret.
  ///   - hint: what to do next.
  ///   - tryAgainIn: for a wrong passphrase, after how many seconds another one may be tried. Nil for all other reasons.
  ///   - wantsUnlocking: whether the same call goes through once the signer is unlocked.
  ///   - isTooSoon: whether the passphrase was not even tried, because it came before that time. Not in JSON.
  case failure(
    exit: Int, error: String, hint: String?, tryAgainIn: Int? = nil, wantsUnlocking: Bool = false, isTooSoon: Bool = false)
}

extension ControlResponse {
  /// The failure for an error.
  public init(_ error: OperationError) {
    self = .failure(
      exit: error.exit.rawValue, error: error.error, hint: error.hint, tryAgainIn: error.tryAgainIn,
      wantsUnlocking: error.wantsUnlocking, isTooSoon: error.isTooSoon)
  }

  /// `{"ok":true,"result":{…}}` or `{"ok":false,"exit":1,"error":"…","hint":"…"}`, after a wrong passphrase with `"try_again_in"`, in
  /// seconds, with `"wants":"unlock"` if the same call goes through once the signer is unlocked; null in place of a secret.
  public var json: JSONValue {
    switch self {
    case .success(let result): ["ok": true, "result": result.json]
    case .failure(let exit, let error, let hint, let tryAgainIn, let wantsUnlocking, _):
      .object(
        [.init("ok", false), .init("exit", .integer(Int64(exit))), .init("error", .string(error))]
          + [.init("hint", hint.map { .string($0) } ?? .null)]
          + (tryAgainIn.map { [.init("try_again_in", .integer(Int64($0)))] } ?? [])
          + (wantsUnlocking ? [.init("wants", "unlock")] : []))
    }
  }

  /// Reads what `json` writes; nil for anything else. Unknown members are ignored, so that a newer daemon can add some.
  public init?(json: JSONValue) { self.init(json: json, secrets: [:]) }

  init?(json: JSONValue, secrets: [String: ControlResult.Secret]) {
    switch json["ok"]?.bool {
    case true?:
      guard let result = json["result"], result.members != nil else { return nil }
      self = .success(ControlResult(result, secrets: secrets))
    case false?:
      guard let exit = json["exit"]?.integer, (1...5).contains(exit), let error = json["error"]?.string else { return nil }
      let tryAgainIn = json["try_again_in"]?.integer.map { Int(clamping: max(0, $0)) }
      self = .failure(
        exit: Int(exit), error: error, hint: json["hint"]?.string, tryAgainIn: tryAgainIn,
        wantsUnlocking: json["wants"] == "unlock")
    case nil: return nil
    }
  }

  /// The answer when no guarded memory is left.
  public static let notInMemory = failure(
    exit: 1, error: "There is not enough memory for the answer.", hint: "Close other programs, then try again.")
}
