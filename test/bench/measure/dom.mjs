/** A page for React to render into, loaded before each case. */
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html>', { pretendToBeVisual: true, url: 'http://app.test/' });
Object.assign(globalThis, {
  window,
  document: window.document,
  requestAnimationFrame: window.requestAnimationFrame.bind(window),
  cancelAnimationFrame: window.cancelAnimationFrame.bind(window),
});
