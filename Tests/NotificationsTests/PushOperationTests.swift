import AuditLog
import DaemonSupport
import JSON
import OwnerAPI
import OwnerWords
import Testing

@testable import Notifications
@testable import OwnerOperations
@testable import Signer

@Suite struct PushOperationTests {
  private func subscribe(_ signer: Signer, _ endpoint: String, label: String = "phone") throws -> String {
    let given: JSONValue = [
      "endpoint": .string(endpoint), "p256dh": .string(PushKeys.point), "auth": .string(PushKeys.auth),
      "label": .string(label),
    ]
    return try unwrap(signer.operations.ask("push/subscribe", given)["id"]?.string)
  }

  private func list(_ signer: Signer) throws -> [JSONValue] {
    try unwrap(signer.operations.ask("push/list")["subscriptions"]?.array)
  }

  @Test("A push subscription survives a restart and shows its host but not its address")
  func aSubscriptionOutlivesTheProcessAndShowsNoAddress() throws {
    let signer = try Signer()
    let id = try subscribe(signer, "https://push.example.net/secret-path", label: "my\u{202e} phone")
    let key = try signer.operations.ask("push/key")
    let again = try signer.reopened()
    defer { again.close() }
    let entry = try unwrap(list(again).first)
    #expect(keys(entry) == ["id", "label", "host", "made", "last_ok", "last_error"])
    #expect(entry["id"]?.string == id && entry["label"]?.string == "my phone" && entry["host"]?.string == "push.example.net")
    #expect(entry["last_ok"]?.isNull == true && entry["last_error"]?.isNull == true)
    #expect(try again.operations.ask("push/key") == key && key["key"]?.string?.utf8.count == 87)
  }

  @Test("Each browser has one push subscription, and their number is limited")
  func oneBrowserIsOneEntryAndThereAreNotTooMany() throws {
    let signer = try Signer()
    defer { signer.close() }
    let first = try subscribe(signer, "https://push.example.net/0")
    #expect(try subscribe(signer, "https://push.example.net/0", label: "renamed") == first)
    for number in 1..<PushBook.maximum { _ = try subscribe(signer, "https://push.example.net/\(number)") }
    #expect(try list(signer).count == PushBook.maximum)
    #expect(throws: OperationError(PushError.tooManySubscriptions)) { try subscribe(signer, "https://push.example.net/more") }
    try signer.operations.ask("push/remove", ["id": .string(first)])
    #expect(try list(signer).count == PushBook.maximum - 1)
    #expect(try signer.entries(.notificationSubscribed).count == PushBook.maximum)
    #expect(try signer.entries(.notificationUnsubscribed).map(\.rule?.description) == ["by the owner (command)"])
  }
}
