import OwnerAPI
import ResponseTexts

/// Finds the waiting requests that are like a named one.
enum AlikeRequests {
  /// - Returns: the ids of all waiting requests that can be answered together with this one, and a title for them ("12 likes").
  ///   Nil if no request has that id.
  static func of(_ id: String, in waiting: [WaitingRequest]) -> (ids: [String], title: String)? {
    guard let named = waiting.first(where: { $0.id == id }) else { return nil }
    guard let batch = named.batch else { return ([named.id], named.batchTitle) }
    return (waiting.filter { $0.batch == batch }.map(\.id), named.batchTitle)
  }

  /// Says why a request is like no other one that waits, and how all of its app are answered if there are others.
  /// - Parameter command: the words of the command, such as `request approve`.
  static func whyAlone(_ id: String, in waiting: [WaitingRequest], _ command: String) -> String {
    guard let named = waiting.first(where: { $0.id == id }) else { return "" }
    let why =
      named.batch != nil
      ? "This answers 1 request: no other waiting request is of the same app and kind."
      : "This answers 1 request: what medium trust asks you about is answered one by one."
    let ofApp = waiting.count { $0.client.signer == named.client.signer }
    guard ofApp > 1 else { return why }
    return why + " To answer all \(ofApp) of \(quoted(named.client.shownName)): holdfast \(command) --app \(named.client.typed)"
  }
}
