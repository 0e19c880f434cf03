/** Web Locks and BroadcastChannel of several tabs in one test, delivered by promises only. */
import type { TabsEnvironment } from '../../src/core/persistence/persistence-options.ts';

type Granted = (lock: Lock | null) => unknown;

/**
 * One browser; each call of `openTab` opens a tab. `crash` removes the locks and channels of a tab without an event,
 * `freeze` sends the event and then holds all messages until `thaw`. `leave` puts the page into the back/forward cache, which takes its
 * locks and drops its messages as WebKit does, until `comeBack`. `loseLock` takes a held lock, as another script of the origin can.
 * `onThrown` gets what a listener of a channel throws.
 */
export function createFakeBrowser({ onThrown }: { onThrown?: (thrown: unknown) => void } = {}) {
  const queues = new Map<string, { tab: object; run: () => void }[]>();
  const holders = new Map<string, object>();
  /** Reject the requests whose locks are held, by name. */
  const rejects = new Map<string, (reason: unknown) => void>();
  const channels = new Set<FakeChannel>();
  /** Messages that wait for frozen tabs. */
  const frozen = new Map<object, (() => void)[]>();

  const next = (name: string) => {
    holders.delete(name);
    const [first, ...rest] = queues.get(name) ?? [];
    queues.set(name, rest);
    first?.run();
  };

  const hold = (name: string, tab: object, callback: Granted) => {
    holders.set(name, tab);
    const stolen = new Promise<never>((_, reject) => rejects.set(name, reject));
    const reject = rejects.get(name);
    const released = Promise.resolve(callback({ name, mode: 'exclusive' })).then((value) => {
      if (holders.get(name) === tab && rejects.get(name) === reject) next(name);
      return value;
    });
    return Promise.race([released, stolen]);
  };

  const dropLocks = (tab: object) => {
    for (const [name, queue] of queues)
      queues.set(
        name,
        queue.filter((entry) => entry.tab !== tab),
      );
    for (const [name, holder] of holders) if (holder === tab) next(name);
  };

  class FakeChannel {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly name: string;
    readonly tab: object;
    isClosed = false;
    constructor(name: string, tab: object) {
      this.name = name;
      this.tab = tab;
      channels.add(this);
    }
    postMessage(message: unknown) {
      if (this.isClosed) throw new DOMException('Channel is closed', 'InvalidStateError');
      const data = structuredClone(message);
      for (const channel of channels) {
        if (channel === this || channel.name !== this.name) continue;
        queueMicrotask(() => {
          const deliver = () => {
            if (!channels.has(channel)) return;
            try {
              channel.onmessage?.({ data } as MessageEvent);
            } catch (thrown) {
              if (onThrown === undefined) throw thrown;
              onThrown(thrown);
            }
          };
          const late = frozen.get(channel.tab);
          if (late === undefined) deliver();
          else late.push(deliver);
        });
      }
    }
    close() {
      this.isClosed = true;
      channels.delete(this);
    }
  }

  return {
    openTab() {
      const tab = {};
      const page = new EventTarget();
      const request = (name: string, options: LockOptions, callback: Granted) => {
        if (!holders.has(name)) return hold(name, tab, callback);
        if (options.ifAvailable) return Promise.resolve(callback(null));
        return new Promise((resolve, reject) => {
          const entry = { tab, run: () => void hold(name, tab, callback).then(resolve, reject) };
          queues.set(name, [...(queues.get(name) ?? []), entry]);
          options.signal?.addEventListener('abort', () => {
            queues.set(
              name,
              (queues.get(name) ?? []).filter((other) => other !== entry),
            );
            reject(options.signal?.reason);
          });
        });
      };
      return {
        environment: {
          locks: { request } as unknown as TabsEnvironment['locks'],
          openChannel: (name: string) => new FakeChannel(name, tab) as unknown as BroadcastChannel,
          page,
        },
        freeze() {
          page.dispatchEvent(new Event('freeze'));
          frozen.set(tab, []);
        },
        thaw() {
          const late = frozen.get(tab) ?? [];
          frozen.delete(tab);
          page.dispatchEvent(new Event('resume'));
          for (const deliver of late) deliver();
        },
        crash() {
          for (const channel of channels) if (channel.tab === tab) channels.delete(channel);
          dropLocks(tab);
        },
        leave() {
          page.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }));
          frozen.set(tab, []);
          dropLocks(tab);
        },
        comeBack() {
          frozen.delete(tab);
          page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
        },
        loseLock() {
          for (const [name, holder] of holders) {
            if (holder !== tab) continue;
            rejects.get(name)?.(new DOMException('The lock was stolen', 'AbortError'));
            next(name);
          }
        },
      };
    },
  };
}
