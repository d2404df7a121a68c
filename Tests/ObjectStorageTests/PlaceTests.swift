import Testing

@testable import ObjectStorage

@Suite struct PlaceTests {
  @Test("WebDAV addresses are read") func addressesAreRead() throws {
    let address = try WebAddress(parsing: "https://me%40home@Cloud.Example:443/dav/my files")
    #expect(address.user == "me@home" && address.host == "cloud.example" && address.port == nil)
    #expect(address.text == "https://cloud.example/dav/my%20files/" && !address.text.contains("home@"))
    #expect(try WebAddress(parsing: "http://[::1]:8080").text == "http://[::1]:8080/")
    #expect(try WebAddress(parsing: "http://localhost:8080/x/").path == "/x/")
  }

  @Test(
    "An invalid address of a place is refused with the fault",
    arguments: [
      ("http://cloud.example/", PlaceError.needsTLS), ("http://192.168.1.2/", .needsTLS), ("https://a:b@c/", .passwordInAddress),
      ("https://", .noAddress), ("https://a?b", .noAddress), ("https://a/b#c", .noAddress), ("https://a/../b", .noAddress),
      ("https://a:0/", .noAddress), ("https://a:65536/", .noAddress), ("https://a:/", .noAddress),
      ("https://a\r\nx: y/", .noAddress),
      ("ftp://a/", .noAddress), ("https://@a/", .noAddress), ("https://a\\b/", .noAddress), ("backups", .notAbsolute),
      ("s3://ab/", .badBucket), ("s3://A_B/", .badBucket), ("s3://", .badBucket),
    ])
  func whatNamesNoPlaceIsRefused(text: String, fault: PlaceError) {
    #expect(throws: fault) { try BackupPlace(parsing: text) }
  }

  @Test("Buckets are read") func bucketsAreRead() throws {
    guard case .s3(let own) = try BackupPlace(parsing: "s3://my-bucket/a/b", endpoint: "http://127.0.0.1:9000", region: "eu-x")
    else { throw PlaceError.noAddress }
    #expect(own.prefix == "a/b/" && own.isInPath && own.region == "eu-x" && own.endpoint.authority == "127.0.0.1:9000")
    guard case .s3(let amazon) = try BackupPlace(parsing: "s3://my-bucket", region: "eu-west-1") else {
      throw PlaceError.noAddress
    }
    #expect(amazon.endpoint.host == "my-bucket.s3.eu-west-1.amazonaws.com" && !amazon.isInPath && amazon.prefix.isEmpty)
    guard case .s3(let dotted) = try BackupPlace(parsing: "s3://my.bucket") else { throw PlaceError.noAddress }
    #expect(dotted.endpoint.host == "s3.us-east-1.amazonaws.com" && dotted.isInPath)
    #expect(throws: PlaceError.needsTLS) { try BackupPlace(parsing: "s3://my-bucket", endpoint: "http://store.example") }
    #expect(throws: PlaceError.badRegion) { try BackupPlace(parsing: "s3://my-bucket", region: "eu/../x") }
  }

  @Test(
    "File names use only characters that are safe everywhere",
    arguments: [
      ("a", true), ("a-b_c.9", true), ("", false), (".a", false), ("-a", false), ("a/b", false), ("a b", false),
      ("\u{e9}", false),
    ])
  func namesOfFilesMeanTheSameEverywhere(name: String, isAllowed: Bool) { #expect(FileName.isAllowed(name) == isAllowed) }
}
