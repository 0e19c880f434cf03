import { escapeSuite } from './suites/escape-suite.ts';

escapeSuite(() => {
  let beats = 0;
  const timer = setInterval(() => beats++, 16);
  return {
    get beats() {
      return beats;
    },
    stop: () => clearInterval(timer),
  };
});
