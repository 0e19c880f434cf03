/**
 * Punycode (RFC 3492) with the parameters of host names, one way: what an `xn--` label stands for.
 *
 * Own code, because the package `punycode` has the name of a deprecated module of Node, which a server that renders gets.
 */

const BASE = 36;
const LEAST = 1;
const MOST = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;

/** A label of a host name as it would be shown; one that is no Punycode as it is. */
export function decodePunycode(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const encoded = label.slice('xn--'.length);
  const cut = encoded.lastIndexOf('-');
  const output = cut > 0 ? [...encoded.slice(0, cut)] : [];
  let [code, bias, index, at] = [FIRST_CODE, FIRST_BIAS, 0, cut + 1];
  while (at < encoded.length) {
    const before = index;
    let weight = 1;
    for (let step = BASE; ; step += BASE) {
      const digit = readDigit(encoded.charCodeAt(at));
      at += 1;
      // Chromium takes any label, also one that counts beyond all numbers and so without end.
      if (digit === undefined || weight > 1e15) return label;
      index += digit * weight;
      const threshold = Math.min(MOST, Math.max(LEAST, step - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) return label;
    output.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return output.join('');
}

/** Letters are 0 to 25, figures 26 to 35; anything else, the end included, is none. */
function readDigit(unit: number): number | undefined {
  if (unit >= 97 && unit <= 122) return unit - 97;
  return unit >= 48 && unit <= 57 ? unit - 22 : undefined;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / length);
  let steps = 0;
  for (; rest > ((BASE - LEAST) * MOST) / 2; steps += BASE) rest = Math.floor(rest / (BASE - LEAST));
  return steps + Math.floor((BASE * rest) / (rest + SKEW));
}
