// One app: its name, trust level, permissions, limits and history, and how to revoke it.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { go } from "../router.js";
import { refresh } from "../store.js";
import { nameTab } from "../view.js";
import { capital, counted, TRUST } from "../words.js";
import { avatar, button, field, keyText, nothing, when } from "../parts/common.js";
import { change } from "../parts/change.js";
import { dialog } from "../parts/dialog.js";
import { history } from "../parts/history.js";
import { limits } from "../parts/limits.js";
import { switches } from "../parts/switches.js";

/** @param {import("../view.js").View} view */
export async function app(view) {
  const [signer] = view.route.parts;
  const boxes = {
    head: section(),
    trust: section(),
    rules: section(),
    holds: section(),
    limits: section(),
    past: section(),
    end: section(),
  };
  view.draw("App", h("p", { class: "back" }, h("a", { href: "#/apps" }, "← All apps")), ...Object.values(boxes));
  let shown = "";
  await view.keep(["clients"], async () => {
    let client;
    try {
      client = await call("client/show", { client: signer });
    } catch (failure) {
      if (/** @type {any} */ (failure).exit !== 5) throw failure;
      gone(view);
      return;
    }
    if (!view.isOpen) return;
    const fresh = JSON.stringify(client);
    if (fresh === shown) return;
    shown = fresh;
    draw(view, boxes, client);
    const { holds = [] } = await call("policy/show", { client: signer });
    if (view.isOpen && shown === fresh) fill(boxes.holds, h("h2", {}, "What it may do now"), standing(holds));
  });
  if (view.isOpen && shown) await history(view, boxes.past, JSON.parse(shown).pubkey);
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

/** @param {import("../view.js").View} view @param {Record<string, HTMLElement>} boxes @param {any} client */
function draw(view, boxes, client) {
  const title = view.root.querySelector("h1");
  if (title) title.textContent = client.name;
  nameTab(client.name);
  head(boxes.head, client);
  trust(boxes.trust, client);
  switches(boxes.rules, client);
  limits(boxes.limits, client);
  end(boxes.end, client);
}

/** @type {Record<string, [string, string]>} */
const VERDICTS = { allow: ["allowed", "good"], ask: ["asks you", "fair"], deny: ["denied", "bad"] };

/** Summarises the decisions on well-known actions. @param {any[]} holds */
function standing(holds) {
  return h(
    "ul",
    { class: "rows" },
    holds.map(({ what, verdict, reason }) => {
      const [words, look] = VERDICTS[verdict] ?? [verdict, ""];
      return h(
        "li",
        { class: "row" },
        h("span", { class: "row-words" }, h("strong", {}, capital(what)), h("span", {}, capital(reason))),
        h("span", { class: `tag ${look}` }, words),
      );
    }),
  );
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
          client.suspended && [" ", h("span", { class: "tag bad" }, "paused")],
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
  const pause = client.suspended
    ? button("Resume", () => change("client/resume", { client: client.signer }, "Resumed: its rules apply again."))
    : button("Pause", () => change("client/suspend", { client: client.signer }, "Paused: it asks you for everything."));
  fill(
    box,
    h("h2", {}, "Pause or revoke"),
    h(
      "p",
      { class: "help" },
      "suspended" in client && "A paused app asks you for everything, whatever its rules say. ",
      "A revoked app can ask for nothing any more and has to be paired again. What it signed stays signed.",
    ),
    h(
      "div",
      { class: "buttons" },
      "suspended" in client && pause,
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
