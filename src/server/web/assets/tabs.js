// Tabs that follow the pattern of the ARIA Authoring Practices.
//
// DOM: `[role="tablist"]` with `button[role="tab"][data-tab="NAME"][aria-controls="ID"][aria-selected]`; the panels are
// `[role="tabpanel"]`, all but one `hidden`.

/** @returns {{select: (name: string) => void}} */
export function enableTabs(list) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  const select = (tab) => {
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
  };
  list.addEventListener("click", ({ target }) => {
    const tab = target.closest('[role="tab"]');
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    select(tab);
    tab.focus();
  });
  select(tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs[0]);
  return { select: (name) => select(tabs.find(({ dataset }) => dataset.tab === name)) };
}
