import CCurl

/// Requests that run at the same time on one thread of the caller, each with a key.
///
/// Only `wake` may be called from other threads.
package final class HTTPTransferGroup<Key>: @unchecked Sendable {  // Sendable: all but `wake` belongs to the caller's one thread
  /// The result of one request.
  package typealias Ended = (key: Key, result: Result<HTTPResponse, HTTPClientError>)

  private let library: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  private var underWay: [UnsafeMutableRawPointer: (key: Key, transfer: HTTPTransfer)] = [:]

  /// An empty group.
  /// - Parameter connectionsPerHost: the most connections to one host and port; nil for no limit. Further requests wait for one, or
  ///   share it (HTTP/2).
  /// - Throws: `.noLibrary`, `.notPrepared`.
  package init(connectionsPerHost: Int? = nil) throws(HTTPClientError) {
    guard let library = CurlLibrary.shared else { throw .noLibrary }
    guard let multi = library.functions.multi_init() else { throw .notPrepared }
    (self.library, self.multi) = (library, multi)
    guard let connectionsPerHost else { return }
    let isSet = withUnsafePointer(to: library.functions) {
      holdfast_curl_connections_per_host($0, multi, connectionsPerHost) == 1
    }
    guard isSet else { throw .notPrepared }
  }

  deinit {
    for easy in underWay.keys { _ = library.functions.multi_remove_handle(multi, easy) }
    underWay = [:]
    _ = library.functions.multi_cleanup(multi)
  }

  /// Whether no request is running.
  package var isEmpty: Bool { underWay.isEmpty }

  /// Begins a request. `advance` continues it.
  package func begin(_ request: HTTPRequest, for key: Key) throws(HTTPClientError) {
    let transfer = try HTTPTransfer(request, library)
    guard library.functions.multi_add_handle(multi, transfer.easy) == CURLM_OK else { throw .notPrepared }
    underWay[transfer.easy] = (key, transfer)
  }

  /// Continues all requests. When none has ended, waits for the network, for `wake`, or for the time to pass.
  /// - Parameter milliseconds: the longest time to wait.
  /// - Returns: the requests that ended.
  package func advance(waiting milliseconds: Int32) -> [Ended] {
    var running: Int32 = 0
    _ = library.functions.multi_perform(multi, &running)
    let ended = takeEnded()
    if ended.isEmpty { _ = library.functions.multi_poll(multi, nil, 0, milliseconds, nil) }
    return ended
  }

  /// Ends the wait in `advance`, or in the next one. Callable from any thread.
  package func wake() { _ = library.functions.multi_wakeup(multi) }

  private func takeEnded() -> [Ended] {
    var (ended, code) = ([Ended](), CURLE_OK)
    while let easy = withUnsafePointer(to: library.functions, { holdfast_curl_finished($0, multi, &code) }) {
      guard let (key, transfer) = underWay.removeValue(forKey: easy) else { continue }
      let result = Result { () throws(HTTPClientError) in try transfer.end(code) }
      _ = library.functions.multi_remove_handle(multi, easy)
      ended.append((key, result))
    }
    return ended
  }
}
