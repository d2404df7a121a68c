// Before the first paint, so that a dark page stays dark. A classic script: modules run later.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
})();
