import Nostr
import NotificationServiceCore
import Platform
import RemoteSigning

/// A relay that sends the lines of a file to each subscription `wake`, one after the other, and takes every event.
struct FileRelay: NotificationTransport {
  let path: String

  func connect(to relay: RelayURL, telling events: RelayEvents) -> any RelayLink {
    events.opened()
    return Link(path: path, events: events)
  }

  private struct Link: RelayLink {
    let path: String
    let events: RelayEvents

    func send(_ text: String) {
      switch try? ClientMessage(parsing: Array(text.utf8)) {
      case .request(let name, _)?: if name == "wake" { list() }
      case .event(let event)?:
        events.received(String(decoding: RelayMessage.ok(id: event.id, accepted: true, message: "").json(), as: UTF8.self))
      default: break
      }
    }

    private func list() {
      guard let file = fopen(path, "r") else { return }
      var (line, space): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
      defer {
        free(line)
        fclose(file)
      }
      while getline(&line, &space, file) > 0, let text = line { events.received(String(cString: text)) }
    }

    func close() {}
  }
}
