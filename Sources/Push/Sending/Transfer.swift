internal import CCurl
internal import Encodings
import Platform
internal import Transfers

/// One message ready to be posted.
public struct PushLetter: Sendable {
  let endpoint: PushEndpoint
  let headers: [String]
  let body: [UInt8]

  /// - Parameters:
  ///   - body: content encoding `aes128gcm`.
  ///   - authorization: as `VAPIDKey` gives it.
  ///   - topic: up to 32 digits of base64url; a message of the same topic that was not delivered yet is replaced. Nil for none.
  ///   - lifetime: how long the push service may keep it, in seconds.
  public init(endpoint: PushEndpoint, body: [UInt8], authorization: String, topic: String?, lifetime: Int) {
    (self.endpoint, self.body) = (endpoint, body)
    headers =
      [
        "Authorization: \(authorization)", "Content-Encoding: aes128gcm", "Content-Type: application/octet-stream",
        "TTL: \(lifetime)", "Urgency: high", "Accept:", "Expect:",
      ] + (topic.map { ["Topic: \($0)"] } ?? [])
  }
}

/// One post under way. Belongs to the courier's thread: libcurl calls back there only.
final class Transfer {
  /// The longest answer that is listened to, in bytes: nobody reads it.
  static let maximumBody = 8 << 10
  /// The most bytes of headers.
  static let maximumHeaders = 32 << 10

  let key: PushQueue.Key
  let easy: UnsafeMutableRawPointer
  private let letter: PushLetter
  private let library: CurlLibrary
  private let options: PushCourier.Options
  private var list: UnsafeMutablePointer<curl_slist>?
  private let body: UnsafeMutableRawBufferPointer
  private var fault: PushFault?
  private var bodyCount = 0
  private var headerCount = 0

  init?(_ key: PushQueue.Key, _ letter: PushLetter, _ library: CurlLibrary, _ options: PushCourier.Options) {
    guard let easy = library.functions.easy_init() else { return nil }
    (self.key, self.letter, self.library, self.options, self.easy) = (key, letter, library, options, easy)
    body = .allocate(byteCount: max(1, letter.body.count), alignment: 1)
    body.copyBytes(from: letter.body)
    for header in letter.headers {
      guard let longer = library.functions.slist_append(list, header) else { return nil }
      list = longer
    }
    guard prepare() else { return nil }
  }

  deinit {
    library.functions.easy_cleanup(easy)
    library.functions.slist_free_all(list)
    body.deallocate()
  }

  private func prepare() -> Bool {
    var post = holdfast_post()
    post.body = UnsafeRawPointer(body.baseAddress)
    post.body_length = letter.body.count
    post.headers = list
    post.connect_milliseconds = options.connectMilliseconds
    post.total_milliseconds = options.totalMilliseconds
    post.owner = Unmanaged.passUnretained(self).toOpaque()
    post.on_body = { _, size, count, owner in transfer(owner).take(size * count, ofBody: true) }
    post.on_header = { _, size, count, owner in transfer(owner).take(size * count, ofBody: false) }
    post.open_socket = { owner, _, address in transfer(owner).open(address) }
    return letter.endpoint.text.withCString { url in
      post.url = url
      guard let file = options.certificates else { return isPrepared(&post) }
      return file.withCString { file in
        post.ca_file = file
        return isPrepared(&post)
      }
    }
  }

  private func isPrepared(_ post: inout holdfast_post) -> Bool {
    withUnsafePointer(to: library.functions) { holdfast_curl_prepare($0, easy, &post) == 1 }
  }

  // MARK: called back

  /// Counts what comes and keeps nothing. Any number but `count` ends the transfer.
  private func take(_ count: Int, ofBody isBody: Bool) -> Int {
    if isBody { bodyCount += count } else { headerCount += count }
    guard bodyCount > Self.maximumBody || headerCount > Self.maximumHeaders else { return count }
    fault = .answerTooLong
    return 0
  }

  /// Looks at the very address that is connected to: a name may have had another one a moment ago (DNS rebinding).
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
    guard let address, isAllowed(address) else {
      fault = .addressNotPublic
      return holdfast_curl_no_socket()
    }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  }

  private func isAllowed(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard holdfast_curl_address(address, &bytes) == 1 else { return false }
    if options.allowsPrivateAddresses { return true }
    return PublicAddress.isPublic(bytes) && !options.isOwn(bytes) && letter.endpoint.port == 443
  }

  // MARK: the end

  func outcome(_ result: CURLcode) -> PushOutcome {
    // One refused address of several is no fault when another one answered.
    guard result == CURLE_OK else { return .failed(fault ?? Self.fault(result)) }
    let (status, seconds) = withUnsafePointer(to: library.functions) {
      (holdfast_curl_status($0, easy), holdfast_curl_retry_after($0, easy))
    }
    switch status {
    case 200..<300: return .delivered
    case 404, 410: return .gone
    case 429, 500..<600: return .later(status: status, seconds: max(0, Int64(seconds)))
    default: return .refused(status: status)
    }
  }

  private static func fault(_ result: CURLcode) -> PushFault {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: .unresolved
    case CURLE_COULDNT_CONNECT: .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_SSL_CONNECT_ERROR: .noTLS
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .notTrusted
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT: .internalFault
    default: .broken
    }
  }
}

private func transfer(_ owner: UnsafeMutableRawPointer?) -> Transfer {
  Unmanaged<Transfer>.fromOpaque(owner!).takeUnretainedValue()  // what `prepare` gave; libcurl hands it back unread
}
