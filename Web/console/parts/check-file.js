// Checks a backup file of this computer: sends it to the signer, which reads it, opens it with what the person types, and removes it.
// Nothing is restored.

import { call } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { inside } from "./check-backup.js";
import { busy, button, fault, when } from "./common.js";
import { clearFaults, showFault } from "./faults.js";
import { meansHere, ownerFields } from "./owner.js";
import { forget, send, Stopped } from "./upload.js";

/** Exit codes of the signer after which the file is still there: a wrong call, and a wrong credential or one that has to wait. */
const STAYS = [2, 3];
/** What the signer tries at a backup. A passkey opens one in the console after a restore only. */
const OPENS = ["passphrase", "shares"];

/** The card. @param {import("../view.js").View} view @param {(found: any) => void} checked  hears what was found in a file that is good @returns {HTMLElement} */
export function checkFile(view, checked) {
  const box = h("section", { class: "card" });
  new FileCheck(view, box, checked).choose();
  return box;
}

/** One card, from the choice of a file to what was found. */
class FileCheck {
  /** The upload under way; "" for none. */
  #upload = "";
  /** How often a file was chosen or given up: what comes of an earlier one is dropped. */
  #turn = 0;

  /** @param {import("../view.js").View} view @param {HTMLElement} box @param {(found: any) => void} checked */
  constructor(view, box, checked) {
    [this.box, this.checked] = [box, checked];
    view.atEnd(() => this.#stop());
  }

  /** Asks for a file. @param {any} [failure]  of the one before */
  choose(failure = null) {
    const input = h("input", { type: "file", hidden: true, "aria-label": t("Backup file"), onchange: () => this.#take(input) });
    const open = button(t("Choose a file…"), () => input.click());
    this.#show(
      h("p", { class: "help" }, t("Choose a backup on this computer, or drop it here. The signer reads it, tests that your passphrase opens it, and removes it again. Nothing is restored.")),
      failure && fault(failure),
      h("div", { class: "buttons drop" }, open, input),
    );
    this.#takeDrops();
    if (failure) open.focus();
  }

  /** @param {HTMLInputElement} input */
  #take(input) {
    const [file] = input.files ?? [];
    if (file) this.#send(file);
    input.value = "";
  }

  #takeDrops() {
    const place = this.box.querySelector(".drop");
    if (!(place instanceof HTMLElement)) return;
    this.box.ondragover = (event) => {
      event.preventDefault();
      place.classList.add("over");
    };
    this.box.ondragleave = () => place.classList.remove("over");
    this.box.ondrop = (event) => {
      event.preventDefault();
      place.classList.remove("over");
      const [file] = event.dataTransfer?.files ?? [];
      if (file) this.#send(file);
    };
  }

  /** @param {File} file */
  async #send(file) {
    const turn = this.#turn += 1;
    const bar = h("progress", { max: "100", value: "0", "aria-label": t("Sending {file}", { file: file.name }) });
    const cancel = this.#cancelButton(t("Cancel"));
    this.#show(h("p", {}, rich("Sending {file}…", { file: named(file.name) })), bar, h("div", { class: "buttons" }, cancel));
    cancel.focus();
    try {
      await send(file, {
        begun: (upload) => {
          if (turn === this.#turn) this.#upload = upload;
          else forget(upload);
        },
        sent: (bytes) => {
          bar.value = (bytes / file.size) * 100;
        },
        isStopped: () => turn !== this.#turn,
      });
      const [told, means] = await Promise.all([call("backup/upload-end", { upload: this.#upload }), meansHere()]);
      if (turn === this.#turn) this.#tell(file.name, told, means);
    } catch (failure) {
      if (turn === this.#turn && !(failure instanceof Stopped)) this.#restart(failure);
    }
  }

  /** Says what is known of the file, and asks for what opens it. @param {string} name @param {any} told @param {string[]} means */
  #tell(name, told, means) {
    if (!told.this_vault) return this.#refuse(name, told);
    const owner = ownerFields(/** @type {any} */ (means.filter((one) => OPENS.includes(one))));
    const faults = h("div", {}), submit = h("button", { type: "submit", class: "primary" }, t("Check it"));
    const form = h(
      "form",
      {
        class: "fields-box",
        oninput: () => clearFaults(form, faults),
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          busy(submit, () => this.#check(name, owner, form, faults));
        },
      },
      owner.box,
      faults,
      h("div", { class: "buttons" }, submit, this.#cancelButton(t("Cancel"))),
    );
    this.#show(h("p", {}, ...whose(name, told)), form);
    announce(t("The file has arrived."));
    form.querySelector("input")?.focus();
  }

  /** @param {string} name @param {any} told */
  #refuse(name, told) {
    this.#stop();
    this.#show(
      h("p", { class: "warning" }, rich("{file} says that it is a backup of another vault, {vault}. This signer cannot check it here.", { file: named(name), vault: h("code", {}, told.vault) })),
      h("p", { class: "help" }, t("On the signer's machine: holdfast backup verify FILE")),
      this.#again(),
    );
  }

  /** @param {string} name @param {ReturnType<typeof ownerFields>} owner @param {Element} form @param {Element} faults */
  async #check(name, owner, form, faults) {
    const turn = this.#turn;
    clearFaults(form, faults);
    try {
      const found = await owner.perform("backup/upload-check", { upload: this.#upload });
      if (turn !== this.#turn) return;
      this.#upload = "";
      this.checked(found);
      refresh("custody");
      this.#found(name, found);
    } catch (failure) {
      if (turn !== this.#turn) return;
      const { status, exit } = /** @type {any} */ (failure);
      if (status === 200 && !STAYS.includes(exit)) this.#restart(failure);
      else showFault(form, faults, failure);
    }
  }

  /** @param {string} name @param {any} found */
  #found(name, found) {
    this.#show(
      h("p", { tabindex: "-1" }, h("span", { class: "tag good" }, t("checked")), " ", rich("{file} is whole, and what you gave opens it.", { file: named(name) })),
      h("p", {}, ...rich("It was made {when} and has the number {number}.", { when: when(found.made), number: found.number })),
      found.left_out > 0 && h("p", {}, tn(found.left_out, "It leaves out {count} record that is bound to the signer's device.", "It leaves out {count} records that are bound to the signer's device.")),
      inside(found),
      this.#again(),
    );
    /** @type {HTMLElement | null} */ (this.box.querySelector("[tabindex]"))?.focus({ preventScroll: true });
  }

  #again() {
    return h("div", { class: "buttons" }, this.#cancelButton(t("Check another file")));
  }

  /** @param {string} label */
  #cancelButton(label) {
    return button(label, () => {
      this.#stop();
      this.choose();
      /** @type {HTMLElement | null} */ (this.box.querySelector("button"))?.focus();
    });
  }

  /** @param {any} failure */
  #restart(failure) {
    this.#stop();
    this.choose(failure);
  }

  /** Gives up what is under way. */
  #stop() {
    this.#turn += 1;
    if (this.#upload) forget(this.#upload);
    this.#upload = "";
  }

  /** @param {...import("../dom.js").Child} body */
  #show(...body) {
    for (const event of /** @type {const} */ (["ondragover", "ondragleave", "ondrop"])) this.box[event] = null;
    fill(this.box, h("h2", {}, t("Check a backup file")), ...body);
  }
}

/** What is known before anything opens it. @param {string} name @param {any} told */
function whose(name, { made, number }) {
  if (made === null) return rich("{file} has its full length and says that it is a backup of this vault. The signer's own keys do not open it: it may be from before they were changed.", { file: named(name) });
  return rich("{file} has its full length and is a backup of this vault. It was made {when} and has the number {number}.", { file: named(name), when: when(made), number });
}

/** @param {string} name */
function named(name) {
  return h("code", { class: "whole", dir: "auto" }, name);
}
