/** Medians, and how they compare with the floor and with handrail. */

const median = (numbers) => {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const round = (number, digits = 0) => Number(number.toFixed(digits));

export function summarise(measured, titles) {
  const medianOf = (name, key) => {
    const good = (measured[name] ?? []).filter((result) => !('fault' in result));
    return good.length === 0 ? undefined : median(good.map((result) => result[key]));
  };
  const floor = medianOf('floor', 'cpuMs');
  const own = medianOf('handrail', 'cpuMs');
  return Object.keys(measured).map((name) => {
    const cpu = medianOf(name, 'cpuMs');
    if (cpu === undefined) return { name: titles[name], 'CPU ms': measured[name][0].fault };
    return {
      name: titles[name],
      'CPU ms': round(cpu, cpu < 100 ? 1 : 0),
      'wall ms': round(medianOf(name, 'wallMs')),
      '× floor': floor === undefined ? undefined : round(cpu / floor, 2),
      '× handrail': own === undefined ? undefined : round(cpu / own, 2),
      commits: round(medianOf(name, 'commits')),
      'part renders': round(medianOf(name, 'partRenders')),
      'peak heap MB': round(medianOf(name, 'peakHeapMb')),
      'held heap MB': round(medianOf(name, 'heldHeapMb'), 1),
    };
  });
}

/** By how much cost grows when size doubles: 1 is proportional, 2 quadratic. From the smallest to the largest size. */
function growthOf(results, name) {
  const points = results.flatMap(({ size, rows }) => {
    const cpu = rows.find((row) => row.name === name)?.['CPU ms'];
    return typeof cpu === 'number' ? [[size, cpu]] : [];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return Number((Math.log(last[1] / first[1]) / Math.log(last[0] / first[0])).toFixed(2));
}

/** A sentence on all sizes of one workload, where there are several. */
export function toGrowth(group) {
  if (group.length < 2 || !group[0].grows) return undefined;
  const exponents = group[0].rows.flatMap(({ name }) => {
    const exponent = growthOf(group, name);
    return exponent === undefined ? [] : [`${name} ${exponent}`];
  });
  return `Growth exponent (1 is proportional, 2 quadratic): ${exponents.join(', ')}.`;
}

/** Results of one workload after the other. */
export function byWorkload(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.workload, [...(groups.get(result.workload) ?? []), result]);
  return [...groups.values()];
}
