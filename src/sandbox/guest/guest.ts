/**
 * The part of the sandbox that runs inside QuickJS, beside the program. The engine evaluates this script before any
 * program, and the script captures its own copies of the built-ins.
 *
 * The security boundary is not this script but its `post` function: a program that takes over this script can still send only strings
 * and buffers (see `protocol.ts`).
 */
import { createDecoder } from '../codec/create-decoder.ts';
import { createEncoder, type Packed } from '../codec/create-encoder.ts';
import { captureIntrinsics } from '../codec/intrinsics.ts';
import type { Capabilities, Guest, GuestMessage, Post, Thrown, Wrapper } from './protocol.ts';

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** The stack at the call. An error in the answer gets it, because an error of the host has no frames of the program. */
  readonly stack: string;
}

/** Called once by the worker. Returns the functions through which the worker controls this script. */
export function boot(post: Post): Guest {
  const intrinsics = captureIntrinsics();
  const { apply, defineProperty, mapGet, mapSet, mapDelete } = intrinsics;
  const encode = createEncoder(intrinsics);
  const decode = createDecoder(intrinsics);
  const { Promise: OwnPromise, Error: OwnError, String: toText } = globalThis;
  const calls = new intrinsics.Map<number, Call>();
  let lastCall = 0;
  let capabilities: Capabilities | undefined;

  return {
    prepare(text, ...buffers) {
      capabilities = decode({ text, buffers }, { bridge }) as Capabilities;
      if (capabilities.console) install('console', capturingConsole());
      if (capabilities.report) install('report', report);
      return capabilities.globals;
    },
    namespace: (specifier) => capabilities?.imports[specifier] ?? {},
    finish(wrapper) {
      void run(wrapper);
    },
    fail,
    settle(id, fulfilled, text, ...buffers) {
      const call = mapGet(calls, id) as Call | undefined;
      if (call === undefined) return;
      mapDelete(calls, id);
      try {
        if (fulfilled) call.resolve(decode({ text, buffers }));
        else call.reject(rejection(intrinsics.parse(text) as Thrown, call.stack));
      } catch (unreadable) {
        call.reject(unreadable);
      }
    },
  };

  async function run(wrapper: Wrapper | Promise<Wrapper>): Promise<void> {
    try {
      const exported = await wrapper;
      if ('entry' in exported && !('default' in exported.entry)) {
        fail(
          new OwnError('There is no default export; add one with the result, or name another in execute.fn'),
          true,
        );
        return;
      }
      const target = 'entry' in exported ? exported.entry.default : exported.target;
      const args = capabilities?.args ?? [];
      if (typeof target !== 'function' && args.length > 0) {
        fail(
          new OwnError('execute.args was given, but the export is not a function that could take them'),
          true,
        );
        return;
      }
      const result = await (typeof target === 'function'
        ? apply(target as () => unknown, undefined, args)
        : target);
      send('done', 0, '', encode(result, { label: 'result', stacks: true }));
    } catch (thrown) {
      fail(thrown, false);
    }
  }

  function fail(thrown: unknown, link: boolean): void {
    const { name, message, stack } = describe(thrown);
    // `stringify` of an object pushes to an array inside the engine, and the program may have broken that with a setter.
    const { stringify } = intrinsics;
    const json = `"name":${stringify(name)},"message":${stringify(message)},"stack":${stringify(stack)}`;
    post('failed', 0, '', `{${json}${link ? ',"link":true' : ''}}`);
  }

  function bridge(id: number): unknown {
    return (...args: readonly unknown[]) =>
      new OwnPromise((resolve, reject) => {
        const packed = encode(args, { label: 'arguments', stacks: true });
        const call = ++lastCall;
        mapSet(calls, call, { resolve, reject, stack: new OwnError().stack ?? '' });
        try {
          send('call', call, `${id}`, packed);
        } catch (refused) {
          mapDelete(calls, call);
          throw refused;
        }
      });
  }

  function report(value: unknown): void {
    send('report', 0, '', encode(value, { label: 'reported value', stacks: true }));
  }

  function capturingConsole(): object {
    const captured: Record<string, unknown> = {};
    for (let index = 0; index < LEVELS.length; index++) {
      const level = LEVELS[index] as string;
      captured[level] = (...args: readonly unknown[]) => {
        send(
          'log',
          0,
          level,
          encode(args, { label: 'logged value', stacks: true, describeUncloneable: true }),
        );
      };
    }
    return captured;
  }

  function send(kind: GuestMessage, number: number, tag: string, { text, buffers }: Packed): void {
    post(kind, number, tag, text, ...buffers);
  }

  function install(name: string, value: unknown): void {
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }

  function rejection({ name, message }: Thrown, stack: string): Error {
    const error = new (intrinsics.errors[name] ?? OwnError)(message);
    const properties = { name, stack };
    for (const key of ['name', 'stack'] as const) {
      defineProperty(error, key, {
        value: properties[key],
        writable: true,
        configurable: true,
        enumerable: false,
      });
    }
    return error;
  }

  function describe(thrown: unknown): Thrown {
    try {
      if (typeof thrown === 'object' && thrown !== null) {
        const { name, message, stack } = thrown as Partial<Thrown>;
        return {
          name: typeof name === 'string' ? name : 'Error',
          message: typeof message === 'string' ? message : text(thrown),
          stack: typeof stack === 'string' ? stack : '',
        };
      }
      return { name: 'Error', message: text(thrown), stack: '' };
    } catch {
      return { name: 'Error', message: 'Something was thrown that cannot be read', stack: '' };
    }
  }

  function text(thrown: unknown): string {
    const readable = typeof thrown === 'object' ? intrinsics.stringify(thrown) : undefined;
    return `Uncaught ${readable ?? toText(thrown)}`;
  }
}
