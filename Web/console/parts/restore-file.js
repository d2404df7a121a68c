// In a trial: restores a backup file of this computer into the person's own vault, and goes on there.

import { call } from "../api.js";
import { h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { madeWords } from "./check-file.js";
import { inside } from "./check-backup.js";
import { dialog } from "./dialog.js";
import { goOn, goingOn } from "./keep.js";
import { newSecret } from "./newsecret.js";
import { revokedList } from "./revokedlist.js";
import { ownerFields } from "./owner.js";
import { SHORTEST_PASSPHRASE } from "./secrets.js";
import { named, SentFile } from "./sentfile.js";

/** @typedef {Record<string, Uint8Array>} Secrets */

/** The card. @param {import("../view.js").View} view @returns {HTMLElement} */
export function restoreFile(view) {
  const box = h("section", { class: "card" });
  /** What opened the file, between its check and the restore. @type {Secrets} */
  let shown = {};
  const keep = (/** @type {Secrets} */ secrets) => {
    for (const bytes of Object.values(shown)) bytes.fill(0);
    shown = secrets;
  };
  const sent = new SentFile(view, box, {
    title: t("Restore a backup file"),
    help: t("Choose the file on this computer, or drop it here. Its name ends in .hfb. You see what is in it before anything is restored."),
    arrived: (name) => open(sent, name, keep, () => copied(shown)),
    stopped: () => keep({}),
  });
  sent.choose();
  return box;
}

/** Asks for what opens the file. @param {SentFile} sent @param {string} name @param {(secrets: Secrets) => void} keep @param {() => Secrets} shown */
function open(sent, name, keep, shown) {
  const owner = ownerFields(["passphrase", "shares"], { isOfBackup: true });
  const form = sent.form(t("See what is in it"), owner.box, async (faults) => {
    const found = await sent.perform(form, faults, () => {
      keep(owner.credential().secrets);
      return call("trial/backup-check", { upload: sent.upload }, shown());
    });
    if (found) confirm(sent, name, found, owner.chosen() === "shares", shown);
  });
  sent.ask(form, h("p", {}, rich("{file} has its full length. Type what opened the vault when it was made.", { file: named(name) })));
}

/** Shows what is in the file, and restores it. @param {SentFile} sent @param {string} name @param {any} found @param {boolean} isByShares @param {() => Secrets} shown */
function confirm(sent, name, found, isByShares, shown) {
  const passphrase = newSecret(t("New passphrase for the vault"), t("Repeat it"), {
    help: t("It replaces the passphrase that the vault had. Four or more random words; nobody can recover it for you."),
    shortest: SHORTEST_PASSPHRASE,
    short: t("The new passphrase needs at least {count} characters.", { count: SHORTEST_PASSPHRASE }),
    differ: t("The two passphrases differ."),
  });
  const list = revokedList();
  const form = sent.form(t("Restore it"), [found.apps.length > 0 && list.box, isByShares && passphrase.box], async (faults) => {
    let run = "";
    const restored = await sent.perform(form, faults, async () => {
      const fresh = isByShares ? { new_passphrase: await passphrase.value() } : {};
      const revoked = await list.value();
      ({ run } = await call("session/state"));
      return call("trial/restore", { upload: sent.upload, ...(revoked ? { revoked_apps: revoked } : {}) }, { ...shown(), ...fresh });
    });
    if (!restored) return;
    const paused = restored.suspended.length;
    goOn(restored, run, paused ? tn(paused, "Restored. {count} app is paused: check it, then resume it.", "Restored. {count} apps are paused: check each, then resume it.") : t("The backup is restored."));
    // The restored vault has nothing to restore: what it has is shown next.
    history.replaceState(null, "", paused ? "#/apps" : "#/");
    passphrase.clear();
    sent.upload = "";
    sent.stop();
    sent.show(h("p", {}, t("The backup is restored.")));
    await dialog(t("Your vault is at {home}", { home: restored.home }), [...outcome(restored), ...goingOn(restored)], { confirm: t("Done"), cancel: "", act: () => {} });
  });
  sent.ask(
    form,
    h("p", {}, h("span", { class: "tag good" }, t("checked")), " ", rich("{file} is whole, and what you gave opens it.", { file: named(name) })),
    ...madeWords(found),
    inside(found),
    h("p", { class: "warning" }, t("It becomes your vault on this machine. This trial ends, and its own keys and apps are wiped.")),
    h("p", { class: "help" }, t("Apps come back paused, until you resume each of them. If the old signer still runs, stop it first: both would answer the same apps.")),
  );
}

/** What did not come back as it was. @param {any} restored */
function outcome({ suspended, revoked, revocations, without_key: lost, offered }) {
  return [
    revoked.length > 0 && h("p", {}, t("Not restored, because you revoked them after the backup was made: {apps}.", { apps: revoked.join(", ") })),
    suspended.length > 0 && h("p", {}, t("Paused until you resume each of them: {apps}.", { apps: suspended.join(", ") })),
    suspended.length > 0 && revocations.state === "older" && h("p", { class: "warning" }, t("The list of revoked apps is older than the backup. So check each app before you resume it: one that you revoked later is back, too.")),
    suspended.length > 0 && revocations.state === "missing" && h("p", { class: "help" }, t("The list of the apps that you revoked was not sent along. So check each app before you resume it: one that you revoked after the backup is back, too.")),
    lost.length > 0 && h("p", { class: "warning" }, t("Not restored, because their keys never left their device: {names}.", { names: lost.join(", ") })),
    offered > 0 && h("p", {}, t("Shares that you keep for others wait until you accept them again.")),
    h("p", { class: "help" }, t("Links, waiting requests, signed-in browsers and the console’s passkeys were not restored. A new log begins.")),
  ];
}

/** Each call wipes what it is given. @param {Secrets} secrets @returns {Secrets} */
function copied(secrets) {
  return Object.fromEntries(Object.entries(secrets).map(([name, bytes]) => [name, bytes.slice()]));
}
