import { beforeEach, expect, test } from 'vitest';
import { markIcon } from '../../src/core/policies/attention/mark-icon.ts';

const RED = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#f00"/></svg>')}`;

beforeEach(() => {
  for (const link of icons()) link.remove();
});

function icons(): HTMLLinkElement[] {
  return [...document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')];
}

function addIcon(href: string): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'icon';
  link.href = href;
  document.head.append(link);
  return link;
}

/** Resolves with the address of an icon once it is another one. */
function changed(link: HTMLLinkElement): Promise<string> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve(link.href);
    });
    observer.observe(link, { attributeFilter: ['href'] });
  });
}

/** Returns the colours of the icon in its top left and in its dot. */
async function readColours(href: string): Promise<string[]> {
  const image = new Image();
  image.src = href;
  await image.decode();
  const context = new OffscreenCanvas(64, 64).getContext('2d');
  if (!context) throw new Error('There is no canvas');
  context.drawImage(image, 0, 0, 64, 64);
  return [4, 47].map((at) => [...context.getImageData(at, at, 1, 1).data].join(' '));
}

test('markIcon draws a dot over the icon of the page, and restores the icon', async () => {
  const link = addIcon(RED);
  const marked = changed(link);
  const restore = markIcon(document);
  expect(await readColours(await marked)).toEqual(['255 0 0 255', '242 189 98 255']);
  restore();
  expect(link.getAttribute('href')).toBe(RED);
});

test('markIcon shows the dot alone where the icon does not load', async () => {
  const link = addIcon('/no-such-icon.png');
  const marked = changed(link);
  const restore = markIcon(document);
  expect(await marked).toMatch(/^data:image\/svg\+xml/);
  restore();
  expect(link.getAttribute('href')).toBe('/no-such-icon.png');
});

test('markIcon adds an icon to a page without one, and removes it', () => {
  const restore = markIcon(document);
  expect(icons().map(({ href }) => href)).toEqual([expect.stringMatching(/^data:image\/svg\+xml/)]);
  restore();
  expect(icons()).toEqual([]);
});

test('markIcon leaves an icon alone that the app has changed meanwhile', async () => {
  const link = addIcon(RED);
  const marked = changed(link);
  const restore = markIcon(document);
  await marked;
  link.href = '/other.png';
  restore();
  expect(link.getAttribute('href')).toBe('/other.png');
});

test('markIcon changes nothing after it was restored, though its drawing comes late', async () => {
  const link = addIcon(RED);
  markIcon(document)();
  const second = changed(link);
  const restore = markIcon(document);
  await second;
  restore();
  expect(link.getAttribute('href')).toBe(RED);
});
