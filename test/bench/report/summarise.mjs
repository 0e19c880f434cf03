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

/** Two sizes make a line through anything. */
const FEWEST_SIZES = 3;

/** By how much cost grows when size doubles: 1 is proportional, 2 quadratic. Least squares over the logarithms. */
function growthOf(results, name) {
  const points = results.flatMap(({ size, rows }) => {
    const cpu = rows.find((row) => row.name === name)?.['CPU ms'];
    return typeof cpu === 'number' ? [[Math.log(size), Math.log(cpu)]] : [];
  });
  if (points.length < FEWEST_SIZES) return undefined;
  const mean = (index) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const variance = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return round(covariance / variance, 2);
}

/** A sentence on all sizes of one workload, where there are several. */
export function toGrowth(group) {
  if (group.length < FEWEST_SIZES || !group[0].grows) return undefined;
  const exponents = group[0].rows.flatMap(({ name }) => {
    const exponent = growthOf(group, name);
    return exponent === undefined ? [] : [`${name} ${exponent}`];
  });
  if (exponents.length === 0) return undefined;
  return `Growth exponent (1 is proportional, 2 quadratic; of who finished three sizes or more): ${exponents.join(', ')}.`;
}

/** Results of one workload after the other. */
export function byWorkload(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.workload, [...(groups.get(result.workload) ?? []), result]);
  return [...groups.values()];
}
