extension FuzzTarget {
  /// Every target there is.
  public static let all: [FuzzTarget] = [
    .json, .encodings, .event, .messages, .nip44, .nip04, .entities, .logins, .links, .words, .shares, .sharePages, .records,
    .auditLog,
    .control, .localApps, .signingLinks, .browser, .session, .answers, .accounts, .push, .passkeys,
    .backup, .transfers, .keyFiles, .slots, .drivers, .wraps, .phone, .threshold, .cosigning, .ceremony,
  ]
}
