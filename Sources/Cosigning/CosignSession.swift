import Curve
import Encodings
import Nostr
import SecretMemory
import Threshold

/// One attempt, as every member that takes part and the coordinator compute it from the same list.
struct CosignSession {
  let signers: [CosignMessage.Signer]
  private let work: Work

  private enum Work {
    case signature(UnsignedEvent, SigningSession)
    case secret(PublicKey, SignerSet)
  }

  init(_ group: CosignGroup, _ signers: [CosignMessage.Signer], _ task: CosignTask) throws(CosignError) {
    self.signers = signers
    do throws(ThresholdError) {
      let set = try group.signers(signers.map(\.number))
      switch task {
      case .sign(let event):
        let nonce = AggregateNonce(summing: signers.map(\.nonce))
        work = .signature(event, try SigningSession(set, nonce: nonce, message: task.id.array))
      case .sharedSecret(let peer): work = .secret(peer, set)
      }
    } catch { throw .badSigners(error) }
  }

  /// A member's part. The nonce is gone afterwards; a shared secret does not need it.
  func part(_ nonce: consuming SecretNonce, share: KeyShare) throws(CosignError) -> CosignPart {
    do throws(ThresholdError) {
      switch work {
      case .signature(_, let session): return .signature(try session.sign(nonce, share: share))
      case .secret(let peer, let set): return .secret(try SharedSecretPart(for: peer, share: share, signers: set))
      }
    } catch { throw .failed(error) }
  }

  func isValid(_ part: CosignPart, of signer: CosignMessage.Signer) -> Bool {
    guard let place = signers.firstIndex(of: signer) else { return false }
    switch (part, work) {
    case (.signature(let part), .signature(_, let session)): return session.isValid(part, place: place, nonce: signer.nonce)
    case (.secret(let part), .secret(let peer, let set)): return part.isValid(for: peer, place: place, signers: set)
    default: return false
    }
  }

  /// What comes of all parts.
  /// - Parameter parts: of all signers, in their order. Each was checked, and the result is checked all the same.
  func result(_ parts: [CosignPart]) throws(CosignError) -> CosignResult {
    do throws(ThresholdError) {
      switch work {
      case .signature(let event, let session):
        let signature = try session.finish(parts.compactMap(\.ofSignature), nonces: signers.map(\.nonce))
        return .signed(
          Event(
            id: event.id(), pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
            content: event.content, signature: signature))
      case .secret(let peer, let set):
        return .secret(SecretBox(try SharedSecretPart.combine(parts.compactMap(\.ofSecret), for: peer, signers: set)))
      }
    } catch { throw .failed(error) }
  }
}

extension CosignPart {
  fileprivate var ofSignature: Bytes32? { if case .signature(let part) = self { part } else { nil } }
  fileprivate var ofSecret: SharedSecretPart? { if case .secret(let part) = self { part } else { nil } }
}
