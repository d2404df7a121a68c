extension Listener.Options.Place {
  /// A place as a person writes it: `127.0.0.1:8087` or `[::1]:8087`.
  public init?(hostAndPort text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), colon != text.startIndex
    else {
      return nil
    }
    let host = text[..<colon]
    self = .tcp(host: host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host), port: port)
  }
}
