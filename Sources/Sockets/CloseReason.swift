/// Why a connection ended, or never began.
public enum CloseReason: Equatable, Sendable {
  /// The name has no address, or could not be looked up.
  case nameNotFound
  /// The address lies on this machine or inside the owner's network, which was not allowed. Holds the first such address, in
  /// numbers.
  case insideNetwork(address: String)
  /// Nothing listens there, or the address cannot be reached. libwebsockets does not tell the two apart.
  case refused
  /// The WebSocket was not open within the connect time.
  case timedOut
  /// The TLS handshake failed. The text is OpenSSL's and contains nothing that the peer chose.
  case tls(TLSFault)
  /// The server answered the handshake with an HTTP status other than 101. 0 if the answer was not HTTP.
  case handshakeRefused(status: Int)
  /// The peer did not read, and the send queue reached its limit.
  case slowReader
  /// The message was above the size limit.
  case messageTooLarge
  /// The message had more fragments than allowed.
  case tooManyFragments
  /// The text message was not UTF-8.
  case notUTF8
  /// The message was binary; Nostr uses text only.
  case notText
  /// Too many bytes of incomplete messages, of this peer or of all peers together.
  case tooMuchUnfinished
  /// Other connections needed the place. Connections that do nothing here are closed first.
  case crowdedOut
  /// The peer closed, with this code (1005 if it gave none).
  case peerClosed(code: UInt16)
  /// The connection broke without a closing handshake: a crash, the network, a missing pong, or frames that violate RFC 6455.
  case peerVanished
  /// This side closed, with this code.
  case closedHere(code: UInt16)
  /// The loop stopped.
  case stopped

  /// Why a TLS handshake failed.
  public enum TLSFault: Equatable, Sendable {
    /// The certificate is signed with its own key, and is none that is trusted.
    case selfSigned
    /// The certificate is signed by an authority that is not trusted, or whose own certificate was not sent.
    case unknownIssuer
    /// The certificate is not trusted for any other reason, such as a weak key.
    case untrusted
    /// The certificate is for another host.
    case wrongHost
    /// The certificate, or one of its authority's, has expired.
    case expired
    /// The certificate, or one of its authority's, is not valid yet.
    case notYetValid
    /// Any other reason.
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
    case .tls(.selfSigned): "the server's certificate is self-signed"
    case .tls(.unknownIssuer): "the server's certificate is of an unknown issuer"
    case .tls(.untrusted): "the server's certificate is not trusted"
    case .tls(.wrongHost): "the server's certificate is for another host"
    case .tls(.expired): "the server's certificate has expired"
    case .tls(.notYetValid): "the server's certificate is not valid yet"
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
