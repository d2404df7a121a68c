// Signs a note with the signer that runs on this machine. This program has no key; the owner is asked when it comes for the first time.
import HoldfastClient
import Nostr

let words = CommandLine.arguments.dropFirst()
guard let text = words.first else { fatalError("LocalSigningExample TEXT [HOME]") }
do throws(HoldfastClientError) {
  let signer = try HoldfastClient(home: words.dropFirst().first)
  let event = try signer.sign(EventTemplate(kind: 1, content: text))
  print(String(decoding: event.json(), as: UTF8.self))
} catch {
  switch error {
  case .notRunning: print("No signer runs. To start it: holdfast up")
  case .refused(let code, let message): print("Not signed (\(code)): \(message)")
  default: print("Not signed: \(error)")
  }
}
