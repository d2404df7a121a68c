package import Curve
package import EntrustedShares

/// Why a request for a share could not be answered.
package enum GuardianError: Error, Equatable {
  /// There is no request with that name.
  case noSuchRequest
  /// This share was given to that guardian from another identity of ours.
  case givenFromOther(PublicKey)
  /// The request has ended.
  case requestIsOver(ShareRequest.State)
}
