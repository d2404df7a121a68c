// The command that starts the signer so that this tab works again.

/** Where the signer listens if it is not told otherwise. */
const USUAL_PORT = "24133";
/** The names of this machine, and the address that stands for each. @type {Record<string, string>} */
const HERE = { localhost: "127.0.0.1", "127.0.0.1": "127.0.0.1", "[::1]": "[::1]" };

/**
 * A command that starts the signer, at the address of this tab. Behind a proxy nobody knows here where the signer listens.
 * @param {string} [command] @param {{hostname: string, port: string}} [place]
 */
export function starting(command = ["holdfast", "up"].join(" "), { hostname, port } = location) {
  const isSaid = !Object.hasOwn(HERE, hostname) || !port || port === USUAL_PORT || command.includes("--listen");
  return isSaid ? command : [command, "--listen", `${HERE[hostname]}:${port}`].join(" ");
}
