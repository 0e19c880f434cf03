import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { PACKED_LIMITS } from '../codec/create-encoder.ts';
import guestScript from '../guest/guest.ts?script';
import type { Guest, GuestMessage } from '../guest/protocol.ts';
import { createBoundedMemory, type Heap } from './create-bounded-memory.ts';
import { INTERNAL } from './module-graph.ts';

/** Receives a message of the guest. Returns an error text to throw into the program if it refuses the message. */
export type OnGuestMessage = (
  kind: GuestMessage,
  number: number,
  tag: string,
  text: string,
  buffers: readonly ArrayBuffer[],
) => string | undefined;

/** One QuickJS with the guest in it, for one run. The worker drops the engine and its memory after the run. */
export interface Engine {
  readonly context: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  /** Limits the program's memory. Calls `onExceeded` once, in the middle of the allocation that exceeds the limit. */
  limitMemory(bytes: number, onExceeded: () => void): void;
  /** Receives the guest's messages. The run sets this. */
  onMessage: OnGuestMessage;
  /** Calls the guest and disposes the arguments. @throws when the engine itself fails, for example by a native stack overflow. */
  call(method: keyof Guest, ...args: readonly QuickJSHandle[]): QuickJSHandle;
  text(value: string): QuickJSHandle;
  bytes(buffers: readonly ArrayBuffer[]): QuickJSHandle[];
}

/** Creates an instance for one run. The next run cannot see anything of it, even if a program found a hole in the engine. */
export async function createEngine(wasmModule: WebAssembly.Module, stackBytes: number): Promise<Engine> {
  const bounded = createBoundedMemory();
  const wasmMemory = bounded.memory;
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }));
  const heap = allocatorOf(quickjs);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  const context = runtime.newContext();

  const post = context.newFunction('post', (kind, number, tag, text, ...buffers) => {
    let binary = 0;
    const refusal = engine.onMessage(
      context.getString(kind) as GuestMessage,
      context.getNumber(number),
      context.getString(tag),
      context.getString(text),
      buffers.map(copyOf),
    );
    if (refusal !== undefined) return { error: context.newError({ name: 'RangeError', message: refusal }) };

    /** The guest respects this limit, but a program that replaces the array iterator may pass one buffer many times. */
    function copyOf(handle: QuickJSHandle): ArrayBuffer {
      return context.getArrayBuffer(handle).consume(({ value }) => {
        binary += value.byteLength;
        if (binary > PACKED_LIMITS.binary)
          throw new RangeError(`More than ${PACKED_LIMITS.binary} bytes of binary data were sent at a time`);
        return value.slice().buffer as ArrayBuffer;
      });
    }
  });
  const bootSource = `(() => { ${guestScript}\nreturn guest.boot; })()`;
  const boot = context.unwrapResult(context.evalCode(bootSource, `${INTERNAL}guest`));
  const guest = context.unwrapResult(context.callFunction(boot, context.undefined, post));

  const engine: Engine = {
    context,
    runtime,
    limitMemory(bytes, onExceeded) {
      bounded.limit(bytes, heap);
      bounded.onExceeded = onExceeded;
    },
    onMessage: () => undefined,
    call(method, ...args) {
      const result = context.unwrapResult(context.callMethod(guest, method, [...args]));
      // Without this, every answer would occupy the program's memory until the end of the run.
      for (const arg of args) arg.dispose();
      return result;
    },
    text: (value) => context.newString(value),
    bytes: (buffers) => buffers.map((buffer) => context.newArrayBuffer(buffer)),
  };
  return engine;
}

/** The library does not expose its module, but the memory limit needs the module's allocator to measure the free room. */
function allocatorOf(quickjs: QuickJSWASMModule): Heap {
  const { module } = quickjs as unknown as { readonly module?: Partial<Heap> };
  if (typeof module?._malloc !== 'function' || typeof module._free !== 'function') {
    throw new Error('This version of the engine has no allocator to bound its memory with');
  }
  return module as Heap;
}
