import { byWorkload, toGrowth } from './summarise.mjs';

export function toMarkdown(results, machine, rounds, limitSeconds) {
  const sections = byWorkload(results).map((group) =>
    [`## ${group[0].title}`, ...group.map(toTable), toGrowth(group)].filter(Boolean).join('\n\n'),
  );
  const head = [
    '# Bench',
    `${machine}. Medians of ${rounds} rounds (one where a case is long), each case in its own process, the candidates`,
    'taking turns. CPU is user and system time of the process from sending the message until the agent is done.',
    'The floor reads the same bytes with eventsource-parser and `JSON.parse` and does nothing else. Peak heap is of the',
    'whole process while it streams; held heap is what the chat keeps when it is done. A cell with words says why there',
    `is no number; a case may take ${limitSeconds} s of CPU (240 s where AI SDK reads 120 kB of tool input) before it is`,
    'stopped, and a size that would take longer by the sizes before it is not run.',
  ];
  return `${head[0]}\n\n${head.slice(1).join('\n')}\n\n${sections.join('\n\n')}\n`;
}

function toTable({ size, unit, rows }) {
  // Rows without numbers have fewer.
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => key !== 'name');
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line([size === undefined ? '' : `${size.toLocaleString('en')} ${unit}`, ...columns]),
    line(['---', ...columns.map(() => '--:')]),
    ...rows.map((row) =>
      line([row.name, ...columns.map((column) => row[column]?.toLocaleString('en') ?? '')]),
    ),
  ].join('\n');
}
