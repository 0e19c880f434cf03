import { lifeSuite } from '../../sandbox/suites/life-suite.ts';

lifeSuite(() => {
  const Original = globalThis.Worker;
  const alive = new Set<Worker>();
  let made = 0;
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      made++;
      alive.add(this);
    }
    override terminate() {
      alive.delete(this);
      super.terminate();
    }
  };
  return {
    get made() {
      return made;
    },
    async allGone() {
      if (alive.size > 0) throw new Error(`${alive.size} workers are left`);
    },
    memory: () => undefined,
    stop() {
      globalThis.Worker = Original;
    },
  };
});
