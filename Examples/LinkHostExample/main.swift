// A host app that answers signing links with a key of its own: what an app's “open URL” handler does with the link that it is given.
// It prints the address that the app opens next.
import Curve
import Nostr
import RemoteSigning
import SigningLinks

let words = CommandLine.arguments.dropFirst()
guard let link = words.first else { fatalError("LinkHostExample LINK [PLACE THAT THE OWNER LETS IN]") }
let letIn = words.dropFirst().first

/// A real app keeps its key in a vault; this one forgets it at the end.
let key = try KeyPair.random()

/// Any page and any program can open a link. So the owner is asked, and shown who would read the answer: `callback.place`.
let bridge = BridgeHandler(appSchemes: ["com.example.notes"]) { request, callback throws(LinkFault) in
  guard callback.place == letIn else { throw LinkFault(.denied, "The owner did not let \(callback.place) in.") }
  switch request {
  case .publicKey: return .publicKey(key.publicKey)
  case .sign(let template):
    guard let event = try? template.unsigned(by: key.publicKey, now: 1_750_000_000).signed(by: key) else {
      throw LinkFault(.expired, "The event could not be signed.")
    }
    return .event(event)
  case .encrypt, .decrypt: throw LinkFault(.unsupported, "This app only signs.")
  }
}

do throws(LinkFault) {
  // A universal link comes by its host's address; the app checks that it is its own.
  let isUniversal = link.hasPrefix("https://notes.example/app/")
  print(isUniversal ? try await bridge.handleUniversalLink(link) : try await bridge.handleURL(link))
} catch {
  print("Nothing is opened (\(error.code.rawValue)): \(error.message)")
}
