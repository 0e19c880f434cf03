/** CPU over size, both logarithmic, one panel per workload that has several sizes. */
import { byWorkload } from './summarise.mjs';

const PANEL = { width: 360, height: 260, left: 52, right: 16, top: 34, bottom: 34 };
const COLOURS = ['#888888', '#7db7e8', '#0b63c5', '#c2410c', '#7c3aed', '#0f766e', '#be185d'];

export function toSvg(results) {
  const groups = byWorkload(results).filter((group) => group.length > 1);
  const names = results[0]?.rows.map((row) => row.name) ?? [];
  const width = Math.max(1, Math.min(2, groups.length)) * PANEL.width;
  const legend = 20 + names.length * 16;
  const height = Math.ceil(groups.length / 2) * PANEL.height + legend;
  const panels = groups.map((group, index) => {
    const x = (index % 2) * PANEL.width;
    const y = Math.floor(index / 2) * PANEL.height;
    return `<g transform="translate(${x} ${y})">${toPanel(group, names)}</g>`;
  });
  const keys = names.map((name, index) => {
    const y = height - legend + 14 + index * 16;
    return `<rect x="16" y="${y - 9}" width="10" height="10" fill="${COLOURS[index]}"/><text x="32" y="${y}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<title>CPU by size of each workload, a line per candidate</title>
<rect width="100%" height="100%" fill="white"/>
${[...panels, ...keys].join('\n')}
</svg>
`;
}

function toPanel(group, names) {
  const sizes = group.map((result) => result.size);
  const times = group.flatMap(({ rows }) =>
    rows.map((row) => row['CPU ms']).filter((cpu) => typeof cpu === 'number'),
  );
  const x = scale(sizes, PANEL.left, PANEL.width - PANEL.right);
  const y = scale(times, PANEL.height - PANEL.bottom, PANEL.top);
  const lines = names.map((name, index) => {
    const points = group.flatMap(({ size, rows }) => {
      const cpu = rows.find((row) => row.name === name)?.['CPU ms'];
      return typeof cpu === 'number' ? [`${x(size).toFixed(1)},${y(cpu).toFixed(1)}`] : [];
    });
    const dots = points.map(
      (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="2.5"/>`,
    );
    return `<g fill="${COLOURS[index]}"><polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[index]}" stroke-width="2"/>${dots.join('')}</g>`;
  });
  const ticks = sizes.map((size) => {
    const at = x(size).toFixed(1);
    return `<text x="${at}" y="${PANEL.height - PANEL.bottom + 16}" text-anchor="middle">${size.toLocaleString('en')}</text>`;
  });
  const bounds = [Math.min(...times), Math.max(...times)].map(
    (time) =>
      `<text x="${PANEL.left - 6}" y="${y(time).toFixed(1)}" text-anchor="end">${time.toLocaleString('en')}</text>`,
  );
  const title = `<text x="${PANEL.left}" y="18" font-weight="bold">${group[0].title}: CPU ms by ${group[0].unit}</text>`;
  return [title, ...lines, ...ticks, ...bounds].join('');
}

function scale(values, from, to) {
  const low = Math.log(Math.min(...values));
  const span = Math.log(Math.max(...values)) - low || 1;
  return (value) => from + ((Math.log(value) - low) / span) * (to - from);
}
