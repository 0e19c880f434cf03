#!/usr/bin/env node
/** `npm create handrail my-app -- --template next --backend scripted`. What is not given is asked. */
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { BACKENDS, TEMPLATES } from './choices.mjs';
import { createApp, version } from './create-app.mjs';

const HELP = `npm create handrail [folder] -- [options]

  --template <name>   ${Object.keys(TEMPLATES).join(' | ')}
  --backend <name>    ${Object.keys(BACKENDS).join(' | ')} (default: scripted)
  --version           the version of handrail that the app gets
  --help`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main() {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(HELP);
  if (values.version) return console.log(`handrail ${version}`);
  const [folder, template] = await askMissing(positionals[0], values.template);
  createApp(folder, { template, backend: values.backend });
  console.log(`
${path.resolve(folder)} has the app. Now:

  cd ${folder}
  npm install
  npm run dev

It needs no key. Its first page says what to try, and which file to change.`);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        backend: { type: 'string', default: 'scripted' },
        version: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (positionals.length > 1)
      throw new Error(
        `There is one folder, and ${positionals.length} were given: ${positionals.join(', ')}.`,
      );
    return { values, positionals };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

/**
 * Asks for the folder and the template if they were not given. Where nobody can answer, such as in a script, the error says what to give.
 *
 * @param {string | undefined} folder
 * @param {string | undefined} template
 */
async function askMissing(folder, template) {
  if (folder !== undefined && template !== undefined) return /** @type {const} */ ([folder, template]);
  if (!process.stdin.isTTY) {
    throw new Error(
      `Name a folder and a template: nobody can be asked here, because the input is no terminal.\n\n${HELP}`,
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const chosen = folder ?? ((await terminal.question('Folder (my-app): ')).trim() || 'my-app');
    return /** @type {const} */ ([chosen, template ?? (await askTemplate(terminal))]);
  } finally {
    terminal.close();
  }
}

/** @param {import('node:readline/promises').Interface} terminal */
async function askTemplate(terminal) {
  const names = Object.keys(TEMPLATES);
  const list = names.map((name, index) => `  ${index + 1}  ${name}: ${TEMPLATES[name]?.label}`).join('\n');
  const answer = (await terminal.question(`${list}\nTemplate (1): `)).trim() || '1';
  // A name is as good as its number; createApp refuses anything else.
  return names[Number(answer) - 1] ?? answer;
}
