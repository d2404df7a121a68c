// One app: its name, trust level, permissions, limits and history, and how to revoke it.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t } from "../language.js";
import { go } from "../router.js";
import { refresh } from "../store.js";
import { nameTab } from "../view.js";
import { counted, TRUST } from "../words.js";
import { avatar, button, field, keyText, nothing, when } from "../parts/common.js";
import { change } from "../parts/change.js";
import { dialog } from "../parts/dialog.js";
import { icon } from "../parts/icons.js";
import { history } from "../parts/history.js";
import { limits } from "../parts/limits.js";
import { switches } from "../parts/switches.js";

/** @param {import("../view.js").View} view */
export async function app(view) {
  const [signer] = view.route.parts;
  const boxes = {
    stopped: h("div", {}),
    head: section(),
    trust: section(),
    rules: section(),
    limits: section(),
    past: section(),
    end: section(),
  };
  view.draw("App", h("p", { class: "back" }, h("a", { href: "#/apps" }, "← All apps")), ...Object.values(boxes));
  let shown = "";
  await view.keep(["clients"], async () => {
    let client, table;
    try {
      [client, table] = await Promise.all([
        call("client/show", { client: signer }),
        call("client/permissions", { client: signer }),
      ]);
    } catch (failure) {
      if (/** @type {any} */ (failure).exit !== 5) throw failure;
      gone(view);
      return;
    }
    if (!view.isOpen) return;
    const fresh = JSON.stringify([client, table]);
    if (fresh === shown) return;
    shown = fresh;
    draw(view, boxes, client, table);
  });
  if (view.isOpen && shown) await history(view, boxes.past, JSON.parse(shown)[0].pubkey);
}

function section() {
  return h("section", { class: "card" });
}

/** @param {import("../view.js").View} view */
function gone(view) {
  view.draw(
    "App",
    nothing(
      "This app is no longer paired",
      h("p", {}, "The activity still shows what it did."),
      h("a", { class: "button", href: "#/apps" }, "All apps"),
    ),
  );
}

/** @param {import("../view.js").View} view @param {Record<string, HTMLElement>} boxes @param {any} client @param {any} table */
function draw(view, boxes, client, table) {
  const title = view.root.querySelector("h1");
  if (title) title.textContent = client.name;
  nameTab(client.name);
  stopped(boxes.stopped, client);
  head(boxes.head, client);
  trust(boxes.trust, client);
  switches(boxes.rules, client, table);
  limits(boxes.limits, client);
  end(boxes.end, client);
}

/** Says that the app is paused, before anything else. @param {Element} box @param {any} client */
function stopped(box, client) {
  fill(
    box,
    client.suspended &&
      h(
        "section",
        { class: "card alarm paused-card" },
        icon("paused"),
        h("p", {}, h("strong", {}, t("This app is paused.")), " ", t("It asks you for everything, whatever its rules say.")),
        button(t("Resume"), () => resume(client), { class: "primary", data: { focus: "resume" } }),
      ),
  );
}

/** @param {any} client */
function resume(client) {
  return change("client/resume", { client: client.signer }, t("Resumed: its rules apply again."));
}

/** @param {Element} box @param {any} client */
function head(box, client) {
  fill(
    box,
    h(
      "div",
      { class: "request-head" },
      avatar(client.name, client.pubkey),
      h(
        "div",
        { class: "request-words" },
        h(
          "p",
          {},
          "Signs as ",
          h("strong", { dir: "auto" }, client.identity),
          client.suspended && [" ", h("span", { class: "tag bad" }, t("paused"))],
        ),
        client.url && h("p", { class: "claim" }, "It says it is ", client.url, ". Nobody has checked this."),
        h(
          "p",
          { class: "help" },
          "Paired ",
          when(client.paired),
          ". ",
          client.last_seen ? ["Last seen ", when(client.last_seen), ". "] : "",
          counted(client.requests, "request"),
          ".",
        ),
        client.long_answer &&
          h(
            "p",
            { class: "help" },
            `It got an answer of ${client.long_answer.bytes} bytes `,
            when(client.long_answer.at),
            ". Apps made with rust-nostr 0.45.1 or older cannot read an answer over 65535 bytes, and wait until they give up.",
          ),
      ),
      button("Rename…", () => rename(client), { class: "quiet", data: { focus: "rename" } }),
    ),
    h(
      "details",
      { class: "more" },
      h("summary", {}, "Keys and relays"),
      h(
        "dl",
        { class: "facts" },
        h("dt", {}, "Its key"),
        h("dd", {}, keyText(client.pubkey)),
        h("dt", {}, "The signer's key for it"),
        h("dd", {}, keyText(client.signer)),
        h("dt", {}, "Relays"),
        h("dd", { class: "whole" }, (client.relays ?? []).join(", ") || "none"),
      ),
    ),
  );
}

/** @param {any} client */
function rename(client) {
  const name = field("Name", { required: true, maxlength: "64", value: client.name, autofocus: true }, "Only you see it.");
  return dialog("Rename this app", [name.box], {
    confirm: "Rename",
    act: async () => {
      await call("client/rename", { client: client.signer, name: name.input.value });
      refresh("clients");
    },
  });
}

/** @param {Element} box @param {any} client */
function trust(box, client) {
  fill(
    box,
    h("h2", {}, "Trust"),
    h(
      "fieldset",
      { class: "levels" },
      h("legend", { class: "unseen" }, "Trust"),
      Object.entries(TRUST).map(([level, [title, words]]) =>
        h(
          "label",
          { class: "level" },
          h("input", {
            type: "radio",
            name: "trust",
            value: level,
            checked: client.trust === level,
            data: { focus: `trust-${level}` },
            onchange: () =>
              change("client/trust", { client: client.signer, trust: level }, `Trust is ${title.toLowerCase()} now.`),
          }),
          h("span", {}, h("strong", {}, title), h("span", { class: "help" }, words)),
        )
      ),
    ),
  );
}

/** @param {Element} box @param {any} client */
function end(box, client) {
  fill(
    box,
    h("h2", {}, "Pause or revoke"),
    h(
      "p",
      { class: "help" },
      "A paused app asks you for everything, whatever its rules say. ",
      "A revoked app can ask for nothing any more and has to be paired again. What it signed stays signed.",
    ),
    h(
      "div",
      { class: "buttons" },
      !client.suspended &&
        button("Pause", () => change("client/suspend", { client: client.signer }, "Paused: it asks you for everything.")),
      button("Revoke…", () => revoke(client), { class: "plain-danger" }),
    ),
  );
}

/** @param {any} client */
async function revoke(client) {
  const done = await dialog(`Revoke ${client.name}?`, [
    h("p", {}, "It can ask for nothing any more, and its waiting requests are dropped. To use it again, you pair it again."),
  ], {
    confirm: "Revoke",
    dangerous: true,
    act: () => call("client/revoke", { client: client.signer }),
  });
  if (!done) return;
  notice(`${client.name} is revoked.`);
  refresh("clients");
  refresh("requests");
  go("/apps");
}
