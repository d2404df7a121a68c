/// What a connection is good for, and how it ends for others.
extension Session {
  var admission: Admission? { isListening ? nil : listener?.options.admission ?? loop.outgoing }

  /// What would be lost with it.
  var use: Places<ObjectIdentifier>.Use {
    if isOwners { return .lasting }
    if let webSocket { return webSocket.isOfUse ? .lasting : .none }
    return exchange?.isAnswering == true ? .passing : .none
  }

  /// - Returns: false when the connection has to end for it.
  func mayHold(unfinished bytes: Int) -> Bool {
    guard bytes != unfinishedBytes, let admission else { return true }
    return admission.count(bytes, of: self)
  }

  /// Outside of callbacks.
  func pushOut(_ cause: Admission.Cause) {
    guard let webSocket else { return kill() }
    webSocket.pushOut(cause == .room ? .crowdedOut : .tooMuchUnfinished)
  }

  /// Notes who is behind a proxy of the owner's, for what is asked now.
  func look(at request: HTTPRequest) {
    guard let listener, !listener.options.proxies.isEmpty, case .tcp = peer else { return }
    let client = ForwardedFor.client(of: request, behind: listener.options.proxies)
    listener.options.admission.move(self, to: client.map { Holder($0) } ?? origin)
  }
}
