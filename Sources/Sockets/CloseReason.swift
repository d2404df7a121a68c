/// Why a connection ended, or never began.
public enum CloseReason: Equatable, Sendable {
  /// The name has no address, or the look-up failed.
  case nameNotFound
  /// It lies on this machine or inside the owner's network, which was not allowed. The first of its addresses, in numbers.
  case insideNetwork(address: String)
  /// Nobody listens there, or there is no way there; libwebsockets does not tell the two apart.
  case refused
  /// No open WebSocket within the connect time.
  case timedOut
  /// The TLS handshake failed; the text is OpenSSL's word for it, without anything the peer chose.
  case tls(TLSFault)
  /// The server answered the handshake with another HTTP status than 101; 0 if it was not HTTP.
  case handshakeRefused(status: Int)
  /// The peer did not read: more than the queue's limit waited for it.
  case slowReader
  /// A message above the size limit.
  case messageTooLarge
  /// A message in more fragments than the limit.
  case tooManyFragments
  /// A text message that is not UTF-8.
  case notUTF8
  /// A binary message; Nostr knows text only.
  case notText
  /// Too much of messages that are not complete, of this peer or of all together.
  case tooMuchUnfinished
  /// Others needed the room; whoever does nothing here goes first.
  case crowdedOut
  /// The peer closed, with this code (1005: without one).
  case peerClosed(code: UInt16)
  /// The connection broke off without a closing handshake: a crash, the network, no pong, or frames against RFC 6455.
  case peerVanished
  /// We closed, with this code.
  case closedHere(code: UInt16)
  /// The loop stopped.
  case stopped

  /// What made a TLS handshake fail.
  public enum TLSFault: Equatable, Sendable {
    /// The certificate is not signed by an authority that is trusted here.
    case untrusted
    /// The certificate is for another host.
    case wrongHost
    /// The certificate's time has not come, or is over.
    case expired
    /// Anything else.
    case handshake
  }
}

extension CloseReason: CustomStringConvertible {
  /// A short sentence for people.
  public var description: String {
    switch self {
    case .nameNotFound: "the host name was not found"
    case .insideNetwork(let address):
      "its address \(address) is on this machine or inside your network, and you did not allow that"
    case .refused: "the connection was refused"
    case .timedOut: "no answer in time"
    case .tls(.untrusted): "the server's certificate is not trusted"
    case .tls(.wrongHost): "the server's certificate is for another host"
    case .tls(.expired): "the server's certificate is not valid at this time"
    case .tls(.handshake): "the TLS handshake failed"
    case .handshakeRefused(0): "the server does not speak WebSocket"
    case .handshakeRefused(let status): "the server refused the WebSocket (HTTP \(status))"
    case .slowReader: "the peer did not read what was sent"
    case .messageTooLarge: "the peer sent a message that is too large"
    case .tooManyFragments: "the peer sent a message in too many fragments"
    case .notUTF8: "the peer sent text that is not UTF-8"
    case .notText: "the peer sent a binary message"
    case .tooMuchUnfinished: "too much waits for the rest of messages"
    case .crowdedOut: "others needed the room"
    case .peerClosed(let code): "the peer closed the connection (code \(code))"
    case .peerVanished: "the connection broke off"
    case .closedHere: "closed"
    case .stopped: "the program is stopping"
    }
  }
}
