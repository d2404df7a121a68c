import Testing

@testable import ObjectStorage

@Suite struct XMLTests {
  private func read(_ text: String) throws -> XMLElement { try XMLElement(parsing: Array(text.utf8)) }

  @Test("Elements, text and entities are read") func elementsTextAndEntitiesAreRead() throws {
    let root = try read(
      """
      <?xml version="1.0"?><!-- a > b --><D:a xmlns:D='DAV:'  x = "1>2">
        <b/> <D:c k="v">1 &lt; 2 &amp; &#x41;&#66;<![CDATA[<raw>&amp;]]></D:c ></D:a>
      """)
    #expect(root.name == "a" && root.children.map(\.name) == ["b", "c"])
    #expect(root["c"]?.string == "1 < 2 & AB<raw>&amp;")
  }

  @Test(
    "Malformed XML is refused",
    arguments: [
      "", "text", "<a>", "<a></b>", "<a/><b/>", "</a>", "<a b></a>", "<a b=1/>", "<a b='1/>", "<a>&unknown;</a>", "<a>&#0;</a>",
      "<a>&#xD800;</a>", "<a>& </a>", "<a><!-- </a>", "<a><![CDATA[ </a>", "< a/>", "<a/ >", "<a/>text", "<", "<a", "<a>&amp</a>",
      "<:/>",
    ]) func whatIsMalformedIsRefused(text: String)
  {
    #expect { try XMLElement(parsing: Array(text.utf8)) } throws: { if case XMLError.malformed = $0 { true } else { false } }
  }

  @Test("A document type is refused") func aDocumentTypeIsRefused() {
    let text = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"
    #expect(throws: XMLError.hasDocumentType) { try XMLElement(parsing: Array(text.utf8)) }
  }

  @Test("The depth and number of elements are limited") func depthAndNumberHaveLimits() throws {
    let deep = String(repeating: "<a>", count: XMLElement.maximumDepth + 1)
    #expect(throws: XMLError.tooDeep(limit: XMLElement.maximumDepth)) { try XMLElement(parsing: Array(deep.utf8)) }
    let wide = "<a>" + String(repeating: "<b/>", count: XMLElement.maximumCount)
    #expect(throws: XMLError.tooMany(limit: XMLElement.maximumCount)) { try XMLElement(parsing: Array(wide.utf8)) }
  }
}
