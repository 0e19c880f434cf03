/**
 * Guards what an app pays for the hook with HTTP: bundled and minified by Vite as an app would be, React left out, then gzipped. Nothing
 * of it may be loaded on demand: in Chromium an `import()` that failed while offline stays failed until a reload, and the chat with it.
 */
import { gzipSync } from 'node:zlib';
import { bundleApp } from './bundle-app.mjs';

/**
 * Bytes after gzip. Readable code wins below this limit. The room above 25,000 is for conversations that several people and devices share
 * (opening and following them on the server, refused and partial answers, questions that the server asks), for `trace`, which has to be
 * there when a run is stuck, for the checks that keep a mistyped word or a changed argument from running a tool, and for questions that are
 * asked while a response goes on, answers that are sent when they are given, and pages that a browser keeps. The room above 31,300 is for consent:
 * corrected arguments, tools that change under an open question, tools of components, answers in words, and answers that wait for the network.
 */
const LIMIT = 36_800;

const code = `export { useAgentChat, createHttpTransport } from 'handrail'`;
const { texts, lazyChunks } = await bundleApp(code, ['react', 'react-dom']);
const size = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
console.log(`The hook with HTTP: ${kilobytes(size)} kB gzip of ${kilobytes(LIMIT)}.`);
if (size > LIMIT) {
  fail(
    `The hook with HTTP has ${size - LIMIT} bytes too many. Rule: useAgentChat with createHttpTransport stays below ${kilobytes(LIMIT)} kB gzip. ` +
      'Why: every visitor of an app loads it. What to do: move a whole feature behind an import that the app writes, as persistence is; ' +
      'do not make code harder to read for the sake of bytes.',
  );
}
if (lazyChunks > 0) {
  fail(
    `${lazyChunks} chunk(s) of the hook are loaded on demand. Rule: the engine has no dynamic import(). ` +
      'Why: in Chromium a chunk that failed to load while offline stays failed until a reload. What to do: import it statically.',
  );
}

/**
 * Bytes after gzip of a page whose agent asks for confirmations alone, React and react-dom included. It has neither forms nor their library.
 */
const CONFIRMATIONS_LIMIT = 145_400;

const page = await bundleApp(
  `export { useAgentChat, createHttpTransport, AgentChatProvider } from 'handrail';
   export { ClientToolDialogsOf, confirmation } from 'handrail/components';
   export { createRoot } from 'react-dom/client';`,
  [],
);
const pageSize = page.texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
console.log(
  `A page with confirmations alone, React included: ${kilobytes(pageSize)} kB gzip of ${kilobytes(CONFIRMATIONS_LIMIT)}.`,
);
if (pageSize > CONFIRMATIONS_LIMIT) {
  fail(
    `A page with confirmations alone has ${pageSize - CONFIRMATIONS_LIMIT} bytes too many. Rule: it stays below ` +
      `${kilobytes(CONFIRMATIONS_LIMIT)} kB gzip. Why: \`kinds\` is there so that a page pays for what it shows. What to do: look which ` +
      'module of another kind is imported on the way from `confirmation`.',
  );
}
const foreign = page.modules.filter((id) =>
  /components\/(?:choice|composer|inbox|policies|transcript|text\/(?:choice|composer|delivery|elicitation|error|form|inbox|policy|transcript|upload)-labels)/.test(
    id,
  ),
);
if (foreign.length > 0) {
  fail(
    `A page with confirmations alone has parts of other rooms in it: ${foreign.join(', ')}. Rule: a room and its labels are loaded where the ` +
      'room is shown. Why: the page pays for texts that nobody can see. What to do: move what both need to `text/shared-labels.ts` or ' +
      '`primitives/`, or import it where it is shown.',
  );
}
if (page.modules.some((id) => id.includes('react-hook-form'))) {
  fail(
    'A page with confirmations alone has react-hook-form in it. Rule: only a form has it. Why: it is the heaviest part of the kit. ' +
      'What to do: import what confirmations need of `components/form` from files without it, or on demand.',
  );
}

/** @param {string} problem */
function fail(problem) {
  console.error(problem);
  process.exitCode = 1;
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return (bytes / 1000).toFixed(2);
}
