import BrowserHost
import Testing

@Suite("Which extension a browser starts the helper for")
struct HoldfastExtensionTests {
  @Test("Chromium names the extension's origin, Firefox its id behind the manifest's path")
  func readsArguments() {
    #expect(HoldfastExtension.id(in: ["chrome-extension://\(HoldfastExtension.chromiumID)/"]) == HoldfastExtension.chromiumID)
    #expect(
      HoldfastExtension.id(in: ["/home/a/org.holdfast.signer.json", HoldfastExtension.firefoxID]) == HoldfastExtension.firefoxID)
  }

  @Test(
    "Any other extension is refused, and so is a start without a browser",
    arguments: [
      [], ["signer@holdfast.example"], ["/x.json", "another@example"], ["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"],
      ["chrome-extension://\(HoldfastExtension.chromiumID)"], ["https://\(HoldfastExtension.chromiumID)/"],
    ])
  func refusesOthers(arguments: [String]) {
    #expect(HoldfastExtension.id(in: arguments) == nil)
  }
}
