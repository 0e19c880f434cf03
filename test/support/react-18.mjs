/**
 * Loaded into the workers of the project `react-18`: every import of React resolves to version 18, also in packages that Node
 * resolves by itself (React DOM, Radix, the testing library).
 */
import Module, { register } from 'node:module';

const REACT = /^(react|react-dom)(?=\/|$)/;

/** @typedef {(request: string, ...rest: unknown[]) => string} ResolveFilename */
const commonJs = /** @type {{ _resolveFilename: ResolveFilename }} */ (/** @type {unknown} */ (Module));
const resolveFilename = commonJs._resolveFilename;
/** @type {ResolveFilename} */
const resolveReact = (request, ...rest) =>
  resolveFilename.call(Module, request.replace(REACT, '$1-18'), ...rest);
commonJs._resolveFilename = resolveReact;

const hook = `
  export function resolve(specifier, context, next) {
    return next(specifier.replace(${REACT}, '$1-18'), context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
