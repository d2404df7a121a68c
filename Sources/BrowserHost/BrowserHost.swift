import JSON
import Platform

/// Carries requests between a browser's extension and the signer, until the browser ends it. It holds no key, writes no file and logs
/// nothing.
package final class BrowserHost {
  /// The most documents with a connection at once.
  package static let mostChannels = 128

  private let home: @Sendable () -> String
  private let extensionID: String
  private let input: Int32
  private let output: BrowserOutput
  private let toolbar: ToolbarDesk
  private var frames = NativeFrames()
  private var pages: [String: PageConnection] = [:]
  private var space = [UInt8](repeating: 0, count: 64 << 10)

  /// - Parameters:
  ///   - home: the vault's folder now. It is asked for each connection: a trial may have been kept, or another begun.
  ///   - extensionID: as the browser states it.
  ///   - input: the browser writes here.
  ///   - output: the browser reads here.
  package init(home: @escaping @Sendable () -> String, extensionID: String, input: Int32, output: Int32) {
    (self.home, self.extensionID, self.input) = (home, extensionID, input)
    self.output = BrowserOutput(output)
    toolbar = ToolbarDesk(home: home, extensionID: extensionID, output: self.output)
  }

  /// Runs until the browser closes its end.
  /// - Throws: when what the browser sends is no message.
  package func run() throws(NativeFrames.Fault) {
    signal(SIGPIPE, SIG_IGN)
    while true {
      let ready = waitForBytes()
      for channel in ready.channels { receive(from: channel) }
      if ready.isInput, try !readInput() { return }
    }
  }

  private func waitForBytes() -> (isInput: Bool, channels: [String]) {
    let channels = Array(pages.keys)
    var states = [pollfd(fd: input, events: Int16(POLLIN), revents: 0)]
    states += channels.map { pollfd(fd: pages[$0]?.descriptor ?? -1, events: Int16(POLLIN), revents: 0) }
    guard poll(&states, nfds_t(states.count), -1) > 0 else { return (false, []) }
    let ready = zip(channels, states.dropFirst()).filter { $0.1.revents != 0 }.map(\.0)
    return (states[0].revents != 0, ready)
  }

  /// - Returns: false at the end of the stream.
  private func readInput() throws(NativeFrames.Fault) -> Bool {
    let count = Platform.read(input, &space, space.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    frames.take(space[..<count])
    while let message = try frames.next() { take(message) }
    return true
  }

  private func take(_ message: [UInt8]) {
    do throws(BrowserRequest.Unreadable) {
      switch try BrowserRequest(message: message) {
      case .page(let request): ask(request)
      case .state(let id, let origin): toolbar.state(id, origin: origin)
      case .lock(let id): toolbar.lock(id)
      case .closed(let channel): end(channel)
      }
    } catch { if let id = error.id { output.send(BrowserAnswer.error(.unreadable, to: id)) } }
  }

  private func ask(_ request: PageRequest) {
    do throws(BrowserAnswer.Fault) {
      try page(of: request).send(request, extensionID: extensionID)
    } catch {
      if error == .unavailable { end(request.channel) }
      output.send(BrowserAnswer.error(error, to: request.id))
    }
  }

  /// The document's connection, made at its first request.
  private func page(of request: PageRequest) throws(BrowserAnswer.Fault) -> PageConnection {
    if let known = pages[request.channel] {
      guard known.origin == request.origin else { throw .unreadable }
      return known
    }
    if pages.count >= Self.mostChannels, let idle = pages.first(where: { $0.value.waiting.isEmpty }) { pages[idle.key] = nil }
    guard pages.count < Self.mostChannels else { throw .tooMany }
    let page = try PageConnection(home: home(), origin: request.origin)
    pages[request.channel] = page
    return page
  }

  private func receive(from channel: String) {
    guard let messages = pages[channel]?.receive() else { return end(channel) }
    for message in messages { output.send(message) }
  }

  /// Ends a document's connection. Its requests get an answer, and its next request makes a new connection.
  private func end(_ channel: String) {
    guard let page = pages.removeValue(forKey: channel) else { return }
    for id in page.waiting { output.send(BrowserAnswer.error(.unavailable, to: id)) }
  }
}
