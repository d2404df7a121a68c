import JSON
import Testing

@Suite("JSON reader and writer")
struct JSONReaderTests {
  private func read<R>(_ text: String, _ body: (inout JSONReader) throws(JSONError) -> R) throws(JSONError) -> R {
    var bytes = Array(text.utf8)
    return try bytes.withUnsafeMutableBufferPointer { (buffer) throws(JSONError) in
      var reader = try JSONReader(UnsafeRawBufferPointer(buffer))
      let result = try body(&reader)
      try reader.end()
      return result
    }
  }

  @Test("Nested objects and arrays are read without building a tree") func walksNestedContainersWithoutATree() throws {
    let keys = try read(#" { "a" : [ 1 , [ ] , { } , [ 2 ] ] , "\u0062" : { "c" : [ ] } , "d" : "x" } "#) {
      (reader) throws(JSONError) in
      var keys: [String] = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        keys.append(key.string)
        if key.is("b") { keys.append("found b") }
        try reader.skipValue()
      }
      return keys
    }
    #expect(keys == ["a", "b", "found b", "d"])
  }

  @Test("An error names the place of a value of the wrong type") func saysWhereATypeIsWrong() {
    #expect(throws: JSONError.wrongType(at: 1)) { try read(" 1") { (reader) throws(JSONError) in try reader.beginObject() } }
    #expect(throws: JSONError.wrongType(at: 0)) { try read("1") { (reader) throws(JSONError) in try reader.readText().count } }
    #expect(throws: JSONError.wrongType(at: 0)) { try read("\"1\"") { (reader) throws(JSONError) in try reader.readInteger() } }
    #expect(throws: JSONError.notInteger(at: 0)) { try read("1.0") { (reader) throws(JSONError) in try reader.readInteger() } }
    #expect(throws: JSONError.wrongType(at: 0)) { try read("0") { (reader) throws(JSONError) in try reader.readBool() } }
  }

  @Test("Skipped values are checked as strictly as read ones") func skippingIsAsStrictAsReading() {
    for text in ["[1,]", "{\"a\":\"\\ud800\"}", "[\"\u{1}\"]", "[01]"] {
      #expect(throws: JSONError.self) { try read(text) { (reader) throws(JSONError) in try reader.skipValue() } }
    }
  }

  @Test("The raw bytes of a value can be read") func givesTheRawBytesOfAValue() throws {
    let raw = try read("[ {\"a\" : 1} ]") { (reader) throws(JSONError) in
      try reader.beginArray()
      _ = try reader.nextElement()
      let raw = [UInt8](try reader.rawValue())
      _ = try reader.nextElement()
      return raw
    }
    #expect(String(decoding: raw, as: UTF8.self) == "{\"a\" : 1}")
  }

  @Test("Commas are placed between members") func placesCommas() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.beginObject()
    writer.key("a" as StaticString)
    writer.integer(Int64.min)
    writer.key("b\n" as String)
    writer.beginArray()
    writer.endArray()
    writer.endObject()
    writer.string("x")
    writer.hex(UnsafeRawBufferPointer(start: nil, count: 0))
    writer.raw("{}")
    writer.bool(true)
    writer.null()
    writer.integer(UInt64.max)
    writer.endArray()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"[{"a":-9223372036854775808,"b\n":[]},"x","",{},true,null,18446744073709551615]"#)
  }
}
