import Testing

/// Everything that uses a token: one after the other, since modules find their tokens by environment variables and share one login.
@Suite(.serialized) struct Tokens {}
