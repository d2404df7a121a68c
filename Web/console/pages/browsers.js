// The console itself: which browsers are signed in, and passkeys.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { refresh } from "../store.js";
import { button, when } from "../parts/common.js";
import { dialog } from "../parts/dialog.js";
import { browserName, enrol, newPasskey } from "../parts/enrol.js";
import { heading, waitingFor } from "../parts/heading.js";
import { noPasskeysHere } from "../parts/nopasskeys.js";
import { drawOnPhone } from "../parts/onphone.js";
import { optional } from "../parts/optional.js";
import { passkeysWork } from "../parts/passkeys.js";
import { sections } from "../parts/sections.js";
import { signOut } from "../parts/signout.js";
import { isTrial } from "../parts/trial.js";

/** @param {import("../view.js").View} view */
export function browsers(view) {
  const sessions = section(), phone = section(), passkeys = section();
  view.draw(t("Console"), sections(view), sessions, phone, passkeys, h("p", { class: "help" }, h("a", { href: "#/settings" }, t("Notifications, names of people and the language are under Settings."))));
  optional(view, sessions, ["sessions"], () => drawSessions(sessions));
  optional(view, passkeys, ["sessions"], () => drawPasskeys(passkeys));
  drawOnPhone(phone);
}

function section() {
  return h("section", { class: "card" }, waitingFor());
}

/** Shows a failure as a notice. @param {() => Promise<unknown>} work @param {string} [said] */
async function doing(work, said) {
  try {
    await work();
    if (said) notice(said);
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

/** How a browser signed in, and since when. @param {any} one */
function signedIn(one) {
  const times = { made: when(one.made), seen: when(one.last_seen) };
  if (one.by === "passkey") return rich("by passkey {made}, last seen {seen}", times);
  if (one.by === "passphrase") return rich("by passphrase {made}, last seen {seen}", times);
  return rich("by link {made}, last seen {seen}", times);
}

/** @param {Element} box */
async function drawSessions(box) {
  const { sessions } = await call("session/list");
  fill(
    box,
    heading("browser", t("Signed-in browsers")),
    h(
      "ul",
      { class: "rows" },
      sessions.map((/** @type {any} */ one) =>
        h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "row-words" },
            h(
              "strong",
              { dir: "auto" },
              browserName(one.agent),
              one.current && [" ", h("span", { class: "tag good" }, t("this one"))],
            ),
            h(
              "span",
              {},
              signedIn(one),
            ),
          ),
          !one.current &&
            button(t("Sign out"), () => doing(() => call("session/revoke", { id: one.id }), t("Signed out.")), {
              class: "quiet",
              data: { focus: `session-${one.id}` },
            }),
        )
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      button(t("Sign out here"), signOut),
    ),
  );
}

/** @param {Element} box */
async function drawPasskeys(box) {
  const { passkeys } = await call("passkey/list");
  fill(
    box,
    heading("passkey", t("Passkeys")),
    h(
      "p",
      { class: "help" },
      t("A passkey signs you in here with a fingerprint, your face or a security key, without a link from the terminal."),
      !isTrial() && ` ${t("It can also unlock the keys.")}`,
    ),
    passkeys.length > 0 && h(
      "ul",
      { class: "rows" },
      passkeys.map((/** @type {any} */ one) =>
        h(
          "li",
          { class: "row wraps" },
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, one.name, one.slot !== null && one.slot !== undefined && [" ", h("span", { class: "tag good" }, t("unlocks"))]),
            h(
              "span",
              {},
              one.last_used
                ? rich("added {made}, last used {used}", { made: when(one.made), used: when(one.last_used) })
                : rich("added {made}, not used yet", { made: when(one.made) }),
            ),
          ),
          h(
            "div",
            { class: "buttons small" },
            one.slot === null && passkeysWork() && !isTrial() &&
              button(t("Let it unlock…"), async () => {
                if (!await enrol(one)) return;
                refresh("custody");
                await drawPasskeys(box);
              }, { class: "quiet" }),
            button(t("Remove…"), () => removePasskey(one), { class: "quiet plain-danger" }),
          ),
        )
      ),
    ),
    passkeysWork() ? h("div", { class: "buttons" }, button(t("Add a passkey"), newPasskey)) : noPasskeysHere(),
  );
}

/** @param {any} passkey */
function removePasskey(passkey) {
  return dialog(t("Remove the passkey “{name}”?", { name: passkey.name }), [
    h("p", {}, t("It can no longer sign you in. Without another passkey, the next sign-in needs a link from the terminal, or the passphrase in a browser on the signer’s machine.")),
  ], {
    confirm: t("Remove"),
    dangerous: true,
    act: () => call("passkey/remove", { id: passkey.id }),
  });
}
