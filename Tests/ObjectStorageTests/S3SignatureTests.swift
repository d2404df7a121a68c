import Ciphers
import Encodings
import SecretMemory
import Testing

@testable import ObjectStorage

/// The examples of "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)", Amazon S3 API Reference.
@Suite struct S3SignatureTests {
  private static let time: Int64 = 1_369_353_600  // 2013-05-24T00:00:00Z
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private func signature(_ request: S3Signature.Request) throws -> String {
    var secret = Array("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8)
    let signer = S3Signature(
      keyID: "AKIAIOSFODNN7EXAMPLE", secret: SecretBox(try SecretBytes(wiping: &secret)), region: "us-east-1", now: Self.time)
    #expect(signer.date == "20130524T000000Z")
    let text = try signer.authorization(for: request)
    #expect(text.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="))
    return String(text.suffix(64))
  }

  private func headers(_ more: [(String, String)] = [], digest: String = empty) -> [(String, String)] {
    [("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", digest), ("x-amz-date", "20130524T000000Z")] + more
  }

  @Test("The published signature of a GET is reproduced") func getOfAnObject() throws {
    let request = S3Signature.Request(
      method: "GET", path: "/test.txt", headers: headers([("range", "bytes=0-9")]), bodyDigest: Self.empty)
    #expect(try signature(request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test("The published signature of a PUT is reproduced") func putOfAnObject() throws {
    let digest = SHA256.digest(of: Array("Welcome to Amazon S3.".utf8)).hex
    let request = S3Signature.Request(
      method: "PUT", path: "/" + Percent.encoded("test$file.text"),
      headers: headers(
        [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")], digest: digest),
      bodyDigest: digest)
    #expect(try signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test("The published signature of a query without a value is reproduced") func aQueryWithoutValue() throws {
    let request = S3Signature.Request(
      method: "GET", path: "/", query: [("lifecycle", "")], headers: headers(), bodyDigest: Self.empty)
    #expect(try signature(request) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
  }

  @Test("The published signature of a listing is reproduced") func aListing() throws {
    let request = S3Signature.Request(
      method: "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")], headers: headers(), bodyDigest: Self.empty)
    #expect(try signature(request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test(
    "Times are written in the ISO form",
    arguments: [
      (0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (1_709_164_799, "20240228T235959Z"),
      (1_709_251_199, "20240229T235959Z"), (4_102_444_800, "21000101T000000Z"), (4_107_542_399, "21000228T235959Z"),
      (4_107_542_400, "21000301T000000Z"),
    ])
  func timesAreCivil(seconds: Int64, text: String) { #expect(ISOTime.basic(seconds) == text) }
}
