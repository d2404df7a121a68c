import Testing

/// Everything that uses a token, a keyring or PAM: one after the other, since modules and buses are found by environment variables,
/// and tokens share one login.
@Suite(.serialized) struct Devices {}
