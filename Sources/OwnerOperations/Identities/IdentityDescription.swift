import Curve
import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Signer
import Vault

extension Operations {
  /// An identity as the command line and the console show it. Needs no key.
  func describe(_ identity: Identity) -> IdentitySummary {
    let details = identity.details
    let sharing = home.identities.all.filter {
      $0.words != nil && $0.words == identity.words && $0.publicKey != identity.publicKey
    }
    var summary = IdentitySummary()
    (summary.name, summary.npub, summary.pubkey) = (identity.name, identity.publicKey.npub, identity.publicKey.hex)
    summary.isDefault = identity.publicKey == home.identities.defaultIdentity?.publicKey
    (summary.origin, summary.created) = (IdentityOrigin(identity.origin), identity.createdAt)
    (summary.protection, summary.isRetired) = (KeyProtection(identity.protection), identity.isRetired)
    (summary.account, summary.hasWords) = (identity.account.map { Int64($0) }, identity.words != nil)
    (summary.hasWordsPassphrase, summary.sameWords) = (identity.hasWordsPassphrase, sharing.map(\.name))
    summary.keySecurity = KeySecurity(identity.exportSecurity)
    (summary.colour, summary.emoji) = (details.colour?.text, details.emoji)
    (summary.relays, summary.notes) = (details.relays, details.notes)
    return summary
  }
}
