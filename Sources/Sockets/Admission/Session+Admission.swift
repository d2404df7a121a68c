/// How useful a connection is, and how it is closed to make room.
extension Session {
  var admission: Admission? { isListening ? nil : listener?.options.admission ?? loop.outgoing }

  /// What closing the connection would cost.
  var use: Places<ObjectIdentifier>.Use {
    if isOwners { return .lasting }
    if let lines { return lines.isOfUse ? .lasting : .none }
    if let webSocket { return webSocket.isOfUse ? .lasting : .none }
    return exchange?.isAnswering == true ? .passing : .none
  }

  /// - Returns: false when this connection must be closed.
  func mayHold(unfinished bytes: Int) -> Bool {
    guard bytes != unfinishedBytes, let admission else { return true }
    return admission.count(bytes, of: self)
  }

  /// Call it outside of callbacks.
  func pushOut(_ cause: Admission.Cause) {
    guard let webSocket else { return kill() }
    webSocket.pushOut(cause == .room ? .crowdedOut : .tooMuchUnfinished)
  }

  /// Notes the client behind one of the owner's proxies, for the current request.
  func look(at request: HTTPRequest) {
    guard let listener, !listener.options.proxies.isEmpty, case .tcp = peer else { return }
    let client = ForwardedFor.client(of: request, behind: listener.options.proxies)
    listener.options.admission.move(self, to: client.map { Holder($0) } ?? origin)
  }
}
