import Testing

@testable import ObjectStorage

@Suite struct ListingTests {
  private func dav(_ responses: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\">\(responses)</D:multistatus>".utf8)
  }

  private func response(
    _ href: String, _ inner: String = "<D:getcontentlength>7</D:getcontentlength>", _ status: String = "200 OK"
  )
    -> String
  {
    "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(inner)</D:prop><D:status>HTTP/1.1 \(status)</D:status></D:propstat></D:response>"
  }

  @Test("Only files directly in the WebDAV folder are listed") func theFilesRightInTheCollectionAreListed() throws {
    let answer = dav(
      response("/my%20dir/", "<D:resourcetype><D:collection/></D:resourcetype>") + response("/my%20dir/a.hfb")
        + response("http://host:1/my%20dir/b%2Ehfb") + response("/my%20dir/sub/c.hfb")
        + response("/my%20dir/d", "<D:resourcetype><D:collection/></D:resourcetype>")
        + response("/my%20dir/e", "", "404 Not Found"))
    let files = try WebDAVListing.files(in: answer, of: "/my%20dir/")
    #expect(files == [StoredFile(name: "a.hfb", size: 7), StoredFile(name: "b.hfb", size: 7)])
  }

  /// A server may not lead us to another file by its listing.
  @Test(
    "File names that could lead elsewhere are left out",
    arguments: [
      "/dir/..", "/dir/.", "/dir/../x", "/dir/%2e%2e%2fx", "/dir/a%00", "/dir/a b", "/other/a", "//evil/dir/a", "a", "",
      "/dir/%zz",
      "http://host", "/dir/-rf", "/dir/.part", "/dir/\u{e9}",
    ])
  func namesThatCouldMeanSomethingElseAreLeftOut(href: String) throws {
    #expect(try WebDAVListing.files(in: dav(response(href)), of: "/dir/").isEmpty)
  }

  @Test("An answer that is not a listing is refused", arguments: ["", "<html/>", "<multistatus>", "{\"a\":1}"])
  func whatIsNoListingIsRefused(text: String) {
    #expect(throws: ObjectStorageError.answerMalformed) { try WebDAVListing.files(in: Array(text.utf8), of: "/") }
    #expect(throws: ObjectStorageError.answerMalformed) { try S3Listing(Array(text.utf8), prefix: "") }
  }

  @Test("A page of a bucket's listing is read") func aPageOfABucketIsRead() throws {
    let text = """
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>p/</Prefix><IsTruncated>true</IsTruncated>
      <NextContinuationToken>1ueG&amp;=</NextContinuationToken><Contents><Key>p/a.hfb</Key><Size>12</Size></Contents>
      <Contents><Key>p/sub/b</Key><Size>1</Size></Contents><Contents><Key>q/c</Key><Size>1</Size></Contents>
      <Contents><Key>p/d</Key><Size>-1</Size></Contents></ListBucketResult>
      """
    let page = try S3Listing(Array(text.utf8), prefix: "p/")
    #expect(page.files == [StoredFile(name: "a.hfb", size: 12), StoredFile(name: "d", size: nil)])
    #expect(page.next == "1ueG&=")
  }

  @Test(
    "An error code of a bucket is a single word or left out",
    arguments: [
      ("<Error><Code>NoSuchBucket</Code></Error>", "NoSuchBucket"), ("<Error><Code>No Such</Code></Error>", ""), ("<Error/>", ""),
      ("no xml", ""), ("<Error><Code>\u{1b}[2J</Code></Error>", ""),
    ])
  func anErrorsCodeIsAWordOrNothing(text: String, code: String) { #expect(S3Listing.errorCode(Array(text.utf8)) == code) }
}
