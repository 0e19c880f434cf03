/** Pixels of the drawn icon. Browsers scale it down. */
const SIZE = 64;
/** The dot has the colour that stands for "waiting" in both colour schemes, and a dark edge for light tabs. */
const DOT = { radius: 15, fill: '#f2bd62', edge: '#101216' };
const PLAIN_DOT = /* @__PURE__ */ toDataUrl(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="26" fill="${DOT.fill}" stroke="${DOT.edge}" stroke-width="6"/></svg>`,
);

function toDataUrl(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/**
 * Puts a dot on the icon of the page. Where the icon cannot be drawn, as it is missing or of another origin, the dot is the icon.
 *
 * @returns a function that restores the icons that the app has not changed since
 */
export function markIcon(document: Document): () => void {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')];
  const added = links.length === 0 ? addIcon(document) : undefined;
  const own = links.map((link) => ({ link, href: link.getAttribute('href') ?? '' }));
  let marked: string | undefined;
  const show = (href: string) => {
    for (const { link } of own) if (marked === undefined || link.href === marked) link.href = href;
    if (added) added.href = href;
    marked = href;
  };
  let isOver = false;
  const first = links[0]?.href;
  if (first === undefined) show(PLAIN_DOT);
  else
    void drawWithDot(document, first).then((drawn) => {
      if (!isOver) show(drawn);
    });
  return () => {
    isOver = true;
    added?.remove();
    if (marked === undefined) return;
    for (const { link, href } of own) if (link.href === marked) link.setAttribute('href', href);
  };
}

function addIcon(document: Document): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'icon';
  document.head.append(link);
  return link;
}

/** Never rejects. */
async function drawWithDot(document: Document, href: string): Promise<string> {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const image = document.createElement('img');
  // Without it an icon of another origin makes the canvas unreadable. With it such an icon does not load, unless its server allows it.
  image.crossOrigin = 'anonymous';
  image.src = href;
  try {
    await image.decode();
    const context = canvas.getContext('2d');
    if (!context) return PLAIN_DOT;
    context.drawImage(image, 0, 0, SIZE, SIZE);
    const centre = SIZE - DOT.radius - 2;
    context.beginPath();
    context.arc(centre, centre, DOT.radius, 0, 2 * Math.PI);
    context.fillStyle = DOT.fill;
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = DOT.edge;
    context.stroke();
    return canvas.toDataURL();
  } catch {
    return PLAIN_DOT;
  }
}
