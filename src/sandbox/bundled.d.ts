/** Modules that the build (`.scripts/sandbox-worker-plugin.ts`) turns into text. */
declare module '*?script' {
  /** The module with everything it imports, as the text of one classic script. */
  const text: string;
  export default text;
}
declare module '*?gzip-base64' {
  /** The bytes of the file, gzipped, in base64. */
  const text: string;
  export default text;
}
