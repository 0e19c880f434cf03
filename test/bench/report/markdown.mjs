import { byWorkload, growthOf } from './summarise.mjs';

const COLUMNS = ['CPU ms', 'wall ms', '× floor', '× handrail', 'commits', 'part renders', 'peak heap MB'];

export function toMarkdown(results, machine, rounds) {
  const sections = byWorkload(results).map((group) =>
    [`## ${group[0].title}`, ...group.map(toTable), toGrowth(group)].filter(Boolean).join('\n\n'),
  );
  const head = [
    '# Bench',
    `${machine}. Medians of ${rounds} rounds (one where a case is long), each case in its own process, the candidates`,
    'taking turns. CPU is user and system time of the process from sending the message until the agent is done.',
    'The floor reads the same bytes with eventsource-parser and `JSON.parse` and does nothing else.',
  ];
  return `${head[0]}\n\n${head.slice(1).join('\n')}\n\n${sections.join('\n\n')}\n`;
}

function toTable({ size, unit, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line([`${size.toLocaleString('en')} ${unit}`, ...COLUMNS]),
    line(['---', ...COLUMNS.map(() => '--:')]),
    ...rows.map((row) =>
      line([row.name, ...COLUMNS.map((column) => row[column]?.toLocaleString('en') ?? '')]),
    ),
  ].join('\n');
}

function toGrowth(group) {
  if (!group[0].grows || group.length < 2) return undefined;
  const exponents = group[0].rows.flatMap(({ name }) => {
    const exponent = growthOf(group, name);
    return exponent === undefined ? [] : [`${name} ${exponent}`];
  });
  return `Growth exponent (1 is proportional, 2 quadratic): ${exponents.join(', ')}.`;
}
