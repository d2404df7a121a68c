/// Answers links in any host app: a link in, the address to open out. It does no I/O of its own.
///
///     let bridge = BridgeHandler { request, callback in try await askTheOwner(request, for: callback.place) }
///     let address = try await bridge.handleURL("keyfob://pubkey?cb=https://example.com/signed")
///
/// The app's closure decides who may ask: it gets the place that reads the answer, which is all that is known of the asker.
public struct BridgeHandler: Sendable {
  /// Answers a request, or throws why not. It may take as long as the owner does.
  public typealias Signer = @Sendable (_ request: LinkRequest, _ callback: Callback) async throws(LinkFault) -> LinkAnswer

  private let appSchemes: Set<String>
  private let signer: Signer

  /// - Parameters:
  ///   - appSchemes: schemes, in lower case, of apps that may get answers; as `["myapp"]`.
  ///   - signer: what answers.
  public init(appSchemes: Set<String> = [], signer: @escaping Signer) { (self.appSchemes, self.signer) = (appSchemes, signer) }

  /// Answers a link of a scheme: `keyfob://`, `holdfast://` or `nostrsigner:`.
  /// - Returns: the address to open. A refusal is an address, too; but NIP-55 knows no refusals, so that one is thrown.
  /// - Throws: when there is nowhere to answer to.
  public func handleURL(_ link: String) async throws(LinkFault) -> String {
    guard !Self.isOfWeb(link) else { throw .unknownScheme }
    return try await answer(link)
  }

  /// The same for a universal link: `https://HOST/app/sign?…` or `https://HOST/app/pubkey?…`. Which hosts are the app's own is the app's
  /// to check.
  public func handleUniversalLink(_ link: String) async throws(LinkFault) -> String {
    guard Self.isOfWeb(link) else { throw .unknownScheme }
    return try await answer(link)
  }

  private func answer(_ text: String) async throws(LinkFault) -> String {
    let link = try SigningLink(text) { appSchemes.contains($0) }
    do throws(LinkFault) {
      return link.answered(.success(try await signer(link.request.get(), link.callback))) ?? ""
    } catch {
      guard let address = link.answered(.failure(error)) else { throw error }
      return address
    }
  }

  private static func isOfWeb(_ link: String) -> Bool {
    let scheme = link.prefix { $0 != ":" }.lowercased()
    return scheme == "https" || scheme == "http"
  }
}
