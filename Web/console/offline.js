// On the page that says "not connected": comes back as soon as the signer answers.
(() => {
  const attempt = () => {
    fetch("/api/v1/session/state", { method: "POST", body: "{}", cache: "no-store" }).then((answer) => {
      if (answer.ok) location.reload();
    }, () => {});
  };
  document.getElementById("again").addEventListener("click", attempt);
  setInterval(attempt, 3000);
})();
