// Shows and prints the sheets of a recovery kit, one at a time. The words of each are a share. They are never stored or put into an address,
// and are gone when the person leaves the page.

import { fill, h } from "../dom.js";
import { fromSigner, rich, t } from "../language.js";
import { fullTime } from "../words.js";
import { button } from "./common.js";
import { dialog } from "./dialog.js";
import { qrCode } from "./qr.js";
import { kitSteps } from "./steps.js";

/**
 * @param {import("../view.js").View} view  when it is left, the shares are gone
 * @param {Element} box
 * @param {{shares: string[], threshold: number, title: string, kit: any}} made  with the kit as the signer described it
 * @param {() => void} done
 */
export function showShares(view, box, { shares, threshold, title, kit }, done) {
  let at = 0;
  const held = [...shares];
  const clear = () => {
    held.fill("");
    fill(box);
  };
  view.atEnd(clear);
  view.askBeforeLeaving(stop);
  const show = async () => {
    const words = held[at].split(" ");
    const code = await qrCode(held[at], t("QR code of sheet {number}", { number: at + 1 }), { secret: true });
    if (!view.isOpen) return;
    const name = t("Sheet {number} of {all}", { number: at + 1, all: held.length });
    const isLast = at === held.length - 1;
    fill(
      box,
      kitSteps(1),
      h(
        "article",
        { class: "sheet", "aria-label": name },
        h("h2", { tabindex: "-1" }, name),
        h(
          "p",
          {},
          kit.npub
            ? t("{kit}. Any {needed} of the {all} sheets restore it; fewer reveal nothing.", { kit: title, needed: threshold, all: held.length })
            : t("{kit}. Any {needed} of the {all} sheets open it, or a backup of it; fewer reveal nothing.", { kit: title, needed: threshold, all: held.length }),
          " ",
          h("span", { class: "paper" }, t("Made {time} by Holdfast (SLIP-39).", { time: fullTime(Date.now() / 1000) })),
        ),
        h("ol", { class: "share-words" }, words.map((word) => h("li", {}, word))),
        code,
        about(kit),
        h("p", { class: "paper" }, t("Keep it apart from the others. Type its words into nothing but your own Holdfast, and never give them to anybody who calls or writes.")),
      ),
      h(
        "footer",
        { class: "sheet-end screen" },
        h("p", { class: "warning" }, t("Write it down or print it now. It is not shown again.")),
        h(
          "div",
          { class: "buttons" },
          button(t("Print this one"), () => print()),
          at > 0 && button(t("Back"), () => move(-1)),
          isLast
            ? button(t("I have them all"), () => {
              view.askBeforeLeaving(null);
              clear();
              done();
            }, { class: "primary" })
            : button(t("Next sheet"), () => move(1), { class: "primary" }),
        ),
      ),
    );
    // The next sheet begins at its beginning.
    box.scrollIntoView({ block: "start" });
    box.querySelector("h2")?.focus({ preventScroll: true });
  };
  const move = (/** @type {number} */ step) => {
    at += step;
    return show();
  };
  return show();
}

/** Whether to leave the sheets before the last one was confirmed. */
function stop() {
  return dialog(t("Leave before you have all the sheets?"), [
    h("p", {}, t("The sheets are not shown again, and this kit does not count. You would make a new one.")),
  ], { confirm: t("Leave"), dangerous: true, act: () => {}, cancel: t("Stay") });
}

/** The text on every sheet besides the words: what to do with it, what the sheets give, and the npub that this must be. @param {any} kit */
function about(kit) {
  return h(
    "div",
    { class: "share-about" },
    h("h3", {}, t("How to use it")),
    h(
      "ol",
      { class: "what-to-do" },
      kit.steps.map((/** @type {any} */ step) => h("li", {}, fromSigner(step.text), step.command && h("code", { class: "run" }, unbroken(step.command)))),
    ),
    h("p", {}, t("Kit {id}. Together, enough sheets give {what}.", { id: kit.id, what: fromSigner(kit.holds) })),
    kit.npub && h("p", {}, rich("The key's npub is {npub}.", { npub: h("code", { class: "whole" }, kit.npub) })),
    h("p", {}, kit.code ? t("Recovery code: needed in addition to the sheets. It is on no sheet.") : t("Recovery code: none.")),
    h("p", {}, fromSigner(kit.elsewhere)),
  );
}

/** A command for paper. Lines break between words only, so that a line break always means a space. @param {string} command */
function unbroken(command) {
  return command.split(" ").flatMap((word, at) => [at > 0 && " ", h("span", {}, word)]);
}
