import { useEffect } from 'react';
import { systemClock } from '../../shared/clock.ts';
import { warnOnce } from '../../shared/warn-once.ts';

/** A style sheet may arrive after the page. */
const PATIENCE_MS = 1000;
/** The elements on which the style sheet sets its variables. */
const STYLED = '.hr-overlay, .hr-card, .hr-piece';

/** Warns in development if a component of the kit is shown without the style sheet of the kit. */
export function useStyleCheck(): void {
  useEffect(() => {
    if (process.env.NODE_ENV !== 'development') return undefined;
    return systemClock.after(PATIENCE_MS, () => {
      const element = document.querySelector(STYLED);
      // Inside a shadow root there is nothing to look at.
      if (element === null || getComputedStyle(element).getPropertyValue('--_surface') !== '') return;
      warnOnce(
        "The components of handrail have no style sheet, so dialogs are not above the page. Write import 'handrail/styles.css' once, where your " +
          'app begins. If your own style sheet does all of it, set `--_surface` on these elements.',
      );
    });
  }, []);
}
