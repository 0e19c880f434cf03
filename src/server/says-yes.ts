import type { Clock } from '../shared/clock.ts';
import { askRule, RULE_LIMIT_MS } from './ask-rule.ts';

/** A rule of the app that lets somebody do something, as it is asked about one case. */
export interface AskedRule {
  readonly clock: Clock;
  /** What its errors call the rule, such as `mayAnswer of the tool 'refund'`. */
  readonly name: string;
  /** Called with what went wrong with the rule. */
  report(thrown: unknown): void;
  ask(): unknown;
}

/** Returns true if the rule says `true` in time. A rule that throws, takes too long or says anything but yes or no says no, and is reported. */
export async function saysYes({ clock, name, report, ask }: AskedRule): Promise<boolean> {
  const said = await askRule(clock, RULE_LIMIT_MS, name, ask);
  if ('failed' in said) {
    report(said.failed);
    return false;
  }
  if (typeof said.value === 'boolean') return said.value;
  report(
    new TypeError(
      `${name} returned a value of type ${said.value === null ? 'null' : typeof said.value}, which allows nobody. Return true or false.`,
    ),
  );
  return false;
}
