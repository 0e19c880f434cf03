import type { AnyTool } from '../any-tool.ts';

/** The schemas that the developer knows about. */
const known = /* @__PURE__ */ new WeakSet<object>();

/** Warns the developer, once per tool, that people have to enter its result as JSON. */
export function warnOfOpaqueSchema({ toolName, definition }: AnyTool): void {
  const output = definition?.output;
  if (process.env.NODE_ENV === 'production' || output === undefined || known.has(output)) return;
  known.add(output);
  console.warn(
    `The \`output\` schema of the tool "${toolName}" (${output['~standard'].vendor}) does not describe itself as JSON Schema, ` +
      'so its dialog has no fields and people must enter JSON. Wrap a Valibot schema with `toStandardJsonSchema` of ' +
      '`@valibot/to-json-schema`, use Zod 4.2 or later in place of an earlier one, or give the tool a `ui` of its own.',
  );
}
