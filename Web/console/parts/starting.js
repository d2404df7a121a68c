// Commands for this signer: the one that starts it so that this tab works again, and those that need to be told its folder.

/** A command for the vault of this signer. @param {string} command @param {string | null} [home]  its folder, if commands do not find it themselves */
export function atHome(command, home) {
  return home ? [command, "--home", inShell(home)].join(" ") : command;
}

/** A path as a shell reads it. @param {string} path */
function inShell(path) {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Where the signer listens if it is not told otherwise. */
const USUAL_PORT = "24133";
/** The names of this machine, and the address that stands for each. @type {Record<string, string>} */
const HERE = { localhost: "127.0.0.1", "127.0.0.1": "127.0.0.1", "[::1]": "[::1]" };

/**
 * A command that starts the signer, at the address of this tab. Behind a proxy nobody knows here where the signer listens.
 * @param {string | null} [command]  as `status` has it @param {{hostname: string, port: string}} [place]
 */
export function starting(command, { hostname, port } = location) {
  command ??= ["holdfast", "up"].join(" ");
  const isSaid = !Object.hasOwn(HERE, hostname) || !port || port === USUAL_PORT || command.includes("--listen");
  return isSaid ? command : [command, "--listen", `${HERE[hostname]}:${port}`].join(" ");
}
