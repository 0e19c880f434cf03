/** Takes the theme of the page around the frame, also when it changes. Alone, the page has the theme of the system. */
export function followTheme(): void {
  if (parent === window) return;
  const around = parent.document.documentElement;
  const take = () => {
    document.documentElement.dataset.theme = around.classList.contains('dark') ? 'dark' : 'light';
  };
  take();
  new MutationObserver(take).observe(around, { attributeFilter: ['class'] });
}
