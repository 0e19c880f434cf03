import { BridgeIcon, CheckIcon, OfflineIcon, SeverityIcon, SpinnerIcon } from '../primitives/icons.tsx';
import type { Bar } from './pick-bar.ts';

/** The mark of a bar: its state is not told by its colour alone. */
export function BarIcon({ bar }: { bar: Bar }) {
  switch (bar) {
    case 'restarted':
      return <SeverityIcon />;
    case 'offline':
      return <OfflineIcon />;
    case 'back':
      return <CheckIcon />;
    case 'connecting':
      return <SpinnerIcon />;
    case 'question':
      return <BridgeIcon />;
    default:
      return bar satisfies never;
  }
}
