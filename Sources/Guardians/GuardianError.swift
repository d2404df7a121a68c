package import Curve
package import EntrustedShares

/// Why a guardian could not be added, or a request for a share could not be answered.
package enum GuardianError: Error, Equatable {
  /// There is no request with that name.
  case noSuchRequest
  /// Another identity of ours has given this share to that guardian already.
  case givenFromOther(PublicKey)
  /// The request has ended.
  case requestIsOver(ShareRequest.State)
}
