import Curve
import Encodings
import RemoteSigning
import TestVectors
import Testing

private let key = "30f37c7de176918a818e11a280f605ac2356c8f2f463e905ba161f9d83f8cf31"
private let relay = "relay=wss%3A%2F%2Fr.example.com"

@Suite struct BunkerURITests {
  @Test(
    "Malformed bunker:// links are refused",
    arguments: [
      ("https://a.example", BunkerURIError.wrongScheme),
      ("bunker://abcd?relay=wss://r.example", .signerKeyNotHex32),
      ("bunker://\(String(repeating: "f", count: 64))?relay=wss://r.example", .signerKeyNotHex32),
      ("bunker://\(key)", .noRelay),
      ("bunker://\(key)?relay=", .noRelay),
      ("bunker://\(key)?relay=wss://a.example&relay=https://b.example", .relayNotWebSocket(index: 1)),
      ("bunker://\(key)?relay=wss://user@b.example", .relayNotWebSocket(index: 0)),
      ("bunker://\(key)?relay=wss://", .relayNotWebSocket(index: 0)),
      ("bunker://\(key)?relay=%ff%fe", .relayNotWebSocket(index: 0)),
      ("bunker://\(key)?\(Array(repeating: relay, count: 9).joined(separator: "&"))", .tooManyRelays(limit: 8)),
      ("bunker://\(key)?\(relay)&secret=\(String(repeating: "s", count: 129))", .secretTooLong(limit: 128)),
      ("bunker://\(key)?\(relay)&x=\(String(repeating: "y", count: 4096))", .tooLong(limit: 4096)),
      ("bunker://\(key)?\(relay)\(String(repeating: "&a=b", count: 80))", .tooManyParameters(limit: 64)),
    ])
  func rejectsMalformedLinks(text: String, fault: BunkerURIError) {
    #expect(throws: fault) { try BunkerURI(parsing: text) }
  }

  @Test("A link is read in either case, and unknown parameters are ignored")
  func readsEitherCaseAndIgnoresUnknownParameters() throws {
    let uri = try BunkerURI(parsing: "BUNKER://\(key.uppercased())?pubkey=x&\(relay)&secret=a-b_C9&later=1#fragment")
    #expect(uri.remoteSigner.hex == key)
    #expect(uri.relays.map(\.text) == ["wss://r.example.com"])
    #expect(uri.secret == "a-b_C9")
  }

  @Test("A link uses only characters that every app can read") func writesWhatEveryClientReads() throws {
    let relays = [RelayURL("ws://127.0.0.1:24133/relay")!, RelayURL("wss://r.example.com/?a=b&c=d")!]
    let uri = BunkerURI(remoteSigner: PublicKey(hex: key)!, relays: relays, secret: "abc-DEF_09")
    #expect(uri.text.hasPrefix("bunker://\(key)?relay=ws%3A%2F%2F127.0.0.1%3A24133%2Frelay&relay="))
    // nostr-tools admits only these characters in the query.
    #expect(
      uri.text.utf8.allSatisfy {
        "?/:.=&%-_".utf8.contains($0) || ($0 < 128 && Character(Unicode.Scalar($0)).isLetter) || (0x30...0x39).contains($0)
      })
    #expect(try BunkerURI(parsing: uri.text) == uri)
  }

  @Test("The secret of a new link uses only characters that apps accept") func aFreshSecretHoldsOnlyWhatClientsTake() {
    let secret = OpenLink.secret(from: (0..<22).map { UInt8($0 * 11) })
    #expect(secret.utf8.count == 22)
    #expect(secret.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
  }
}

@Suite struct NostrConnectURITests {
  @Test("The example of the standard is read") func readsTheStandardsOwnExample() throws {
    let uri = try NostrConnectURI(
      parsing:
        "nostrconnect://83f3b2ae6aa368e8275397b9c26cf550101d63ebaab900d19dd4a4429f5ad8f5?relay=wss%3A%2F%2Frelay1.example.com&perms=nip44_encrypt%2Cnip44_decrypt%2Csign_event%3A13%2Csign_event%3A14%2Csign_event%3A1059&name=My+Client&secret=0s8j2djs&relay=wss%3A%2F%2Frelay2.example2.com"
    )
    #expect(uri.relays.map(\.text) == ["wss://relay1.example.com", "wss://relay2.example2.com"])
    #expect(uri.metadata.name == "My Client")
    #expect(uri.secret == "0s8j2djs")
    #expect(
      uri.permissions.map(\.description) == [
        "nip44_encrypt", "nip44_decrypt", "sign_event:13", "sign_event:14", "sign_event:1059",
      ])
  }

  @Test(
    "Malformed nostrconnect:// links are refused",
    arguments: [
      ("bunker://\(key)?\(relay)&secret=x", NostrConnectURIError.wrongScheme),
      ("nostrconnect://abc?\(relay)&secret=x", .clientKeyNotHex32),
      ("nostrconnect://\(String(repeating: "f", count: 64))?\(relay)&secret=x", .clientKeyNotOnCurve),
      ("nostrconnect://\(key)?\(relay)", .noSecret),
      ("nostrconnect://\(key)?\(relay)&secret=", .noSecret),
      ("nostrconnect://\(key)?secret=x", .noRelay),
      ("nostrconnect://\(key)?secret=x&relay=http://no.example", .relayNotWebSocket(index: 0)),
      ("nostrconnect://\(key)?\(relay)&secret=\(String(repeating: "s", count: 257))", .secretTooLong(limit: 256)),
    ])
  func rejectsMalformedLinks(text: String, fault: NostrConnectURIError) {
    #expect(throws: fault) { try NostrConnectURI(parsing: text) }
  }

  @Test("A name in a link may write spaces in two ways", arguments: ["My+App", "My%20App"])
  func readsBothKindsOfSpaceInAName(name: String) throws {
    #expect(try NostrConnectURI(parsing: "nostrconnect://\(key)?\(relay)&secret=s&name=\(name)").metadata.name == "My App")
  }

  @Test("The older form of an app's description is read") func readsOlderMetadataEncodedAndRaw() throws {
    for metadata in [
      #"{"name":"Old","url":"https://o.example"}"#, "%7B%22name%22%3A%22Old%22%2C%22url%22%3A%22https%3A%2F%2Fo.example%22%7D",
    ] {
      let uri = try NostrConnectURI(parsing: "nostrconnect://\(key)?metadata=\(metadata)&\(relay)&secret=s")
      #expect(uri.metadata.name == "Old")
      #expect(uri.metadata.url == "https://o.example")
    }
  }

  @Test("Empty and unknown parameters are accepted") func toleratesEmptyAndUnknownParameters() throws {
    let uri = try NostrConnectURI(parsing: "nostrconnect://\(key)?\(relay)&perms=&name=&url=&image=&secret=s&accounts=multi&&=")
    #expect(uri.metadata.name == nil)
    #expect(uri.permissions.isEmpty)
  }

  @Test("Short and long secrets are accepted", arguments: [1, 128]) func takesShortAndLongSecrets(length: Int) throws {
    let secret = String(repeating: "k", count: length)
    #expect(try NostrConnectURI(parsing: "nostrconnect://\(key)?\(relay)&secret=\(secret)").secret == secret)
  }

  @Test("Unusable relays are left out when one is usable") func leavesOutUnusableRelaysWhenOneIsGood() throws {
    let uri = try NostrConnectURI(parsing: "nostrconnect://\(key)?relay=ftp://x&\(relay)&secret=s")
    #expect(uri.relays.map(\.text) == ["wss://r.example.com"])
  }

  @Test("A name in a link cannot control the terminal or hide text") func aNameCannotMoveTheCursorOrHide() throws {
    let uri = try NostrConnectURI(parsing: "nostrconnect://\(key)?\(relay)&secret=s&name=%1b%5b2Jgood%e2%80%aeevil%0aline")
    #expect(uri.metadata.name == "[2Jgoodevil line")
  }
}

@Suite(.vectors("NIP-46 links")) struct LinkVectorTests {
  @Test("The published bunker:// links are parsed") func bunkerLinks() throws {
    for sample in try Vectors.cases("nip46/uris.json", "bunker_valid") {
      let uri = try BunkerURI(parsing: try #require(sample["uri"] as? String))
      #expect(uri.remoteSigner.hex == sample["remote_signer"] as? String)
      #expect(uri.relays.map(\.text) == sample["relays"] as? [String])
      #expect(uri.secret == sample["secret"] as? String)
    }
    for sample in try Vectors.cases("nip46/uris.json", "bunker_invalid") {
      let text = try #require(sample["uri"] as? String)
      #expect(throws: BunkerURIError.self) { try BunkerURI(parsing: text) }
    }
  }

  @Test("The published nostrconnect:// links are accepted or refused as published") func nostrConnectLinks() throws {
    for sample in try Vectors.cases("nip46/uris.json", "nostrconnect_valid") {
      let uri = try NostrConnectURI(parsing: try #require(sample["uri"] as? String))
      #expect(uri.client.hex == sample["client"] as? String)
      #expect(uri.secret == sample["secret"] as? String)
    }
    for sample in try Vectors.cases("nip46/uris.json", "nostrconnect_invalid") {
      let text = try #require(sample["uri"] as? String)
      #expect(throws: NostrConnectURIError.self) { try NostrConnectURI(parsing: text) }
    }
  }
}
