import Encodings
import Testing

@testable import RemoteSigning

@Suite struct KeptNamesTests {
  @Test("The short name of a stored request is not reused, however many requests follow")
  func neverGivenAway() {
    func id(_ number: Int) -> Bytes32 { Bytes32 { $0.storeBytes(of: number, as: Int.self) } }
    var names = RecentRequestNames()
    names.keep("stored", of: id(0))
    names.add("late", of: id(1))
    for number in 2..<2 + RecentRequestNames.maximumKept { names.add("\(number)", of: id(number)) }
    #expect(names.isOfAnother("stored", than: id(1)) && !names.isOfAnother("stored", than: id(0)))
    #expect(!names.isOfAnother("late", than: id(2)), "the oldest goes")
  }
}

@Suite struct InvisibleNamesTests {
  @Test(
    "A name that shows nothing is no name, and a mark needs a letter",
    arguments: ["\u{2800}", "\u{3164}", "\u{34F}", "\u{115F}\u{1160}", "\u{FFA0}", "\u{301}", " \u{34F} \u{2800}"])
  func invisible(name: String) {
    #expect(ClientMetadata(name: name).name == nil)
    #expect(ClientMetadata(name: name + "Nos\u{301} ❤️").name?.hasSuffix("Nos\u{301} ❤️") == true)
  }
}
