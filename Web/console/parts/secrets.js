// How long the secrets must be that a person chooses in the console.

/** The fewest characters of a passphrase of the vault. */
export const SHORTEST_PASSPHRASE = 8;

/** The fewest characters of the password of a copy that leaves this machine: whoever has the copy can guess without limit. */
export const SHORTEST_PASSWORD = 10;
