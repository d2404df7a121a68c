package import EntrustedShares

/// Why a request for a share could not be answered.
package enum GuardianError: Error, Equatable {
  /// There is no request with that name.
  case noSuchRequest
  /// The request has ended.
  case requestIsOver(ShareRequest.State)
}
