import { escapeSuite } from '../../sandbox/suites/escape-suite.ts';

escapeSuite(() => {
  let beats = 0;
  let frame = requestAnimationFrame(function beat() {
    beats++;
    frame = requestAnimationFrame(beat);
  });
  return {
    get beats() {
      return beats;
    },
    stop: () => cancelAnimationFrame(frame),
  };
});
