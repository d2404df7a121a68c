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
  case failure(exit: Int, error: String, hint: String?)
}

extension ControlResponse {
  /// `{"ok":true,"result":{…}}` or `{"ok":false,"exit":1,"error":"…","hint":"…"}`; null in place of a secret.
  public var json: JSONValue {
    switch self {
    case .success(let result): ["ok": true, "result": result.json]
    case .failure(let exit, let error, let hint):
      ["ok": false, "exit": .integer(Int64(exit)), "error": .string(error), "hint": hint.map { .string($0) } ?? .null]
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
      self = .failure(exit: Int(exit), error: error, hint: json["hint"]?.string)
    case nil: return nil
    }
  }

  /// The answer when no guarded memory is left.
  public static let notInMemory = failure(
    exit: 1, error: "There is not enough memory for the answer.", hint: "Close other programs, then try again.")
}
