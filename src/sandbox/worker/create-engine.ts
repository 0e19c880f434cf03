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

/** A QuickJS instance that has loaded the guest script (`guest/guest.ts`). It serves one run; then the worker drops it with its memory. */
export interface Engine {
  readonly context: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  /** Limits the program's memory. Calls `onExceeded` once, in the middle of the allocation that exceeds the limit. */
  limitMemory(bytes: number, onExceeded: () => void): void;
  /** Receives the messages of the guest script. `create-run.ts` sets it. */
  onMessage: OnGuestMessage;
  /** Calls the guest and disposes the arguments. @throws when the engine itself fails, for example by a native stack overflow. */
  call(method: keyof Guest, ...args: readonly QuickJSHandle[]): QuickJSHandle;
  newText(value: string): QuickJSHandle;
  newBuffers(buffers: readonly ArrayBuffer[]): QuickJSHandle[];
}

/** Creates an engine with a memory of its own: a program that exploits a bug in QuickJS still cannot read data of another run. */
export async function createEngine(wasmModule: WebAssembly.Module, stackBytes: number): Promise<Engine> {
  const bounded = createBoundedMemory();
  const wasmMemory = bounded.memory;
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }));
  const heap = allocatorOf(quickjs);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  const context = runtime.newContext();

  const post = context.newFunction('post', (kind, number, tag, text, ...buffers) => {
    let copiedBytes = 0;
    const refusal = engine.onMessage(
      context.getString(kind) as GuestMessage,
      context.getNumber(number),
      context.getString(tag),
      context.getString(text),
      buffers.map(copyBuffer),
    );
    if (refusal !== undefined) return { error: context.newError({ name: 'RangeError', message: refusal }) };

    /**
     * Copies a buffer, up to the limit for all buffers of a message. The guest script checks this limit too, but a program that replaces
     * the array iterator can make it send one buffer many times.
     */
    function copyBuffer(handle: QuickJSHandle): ArrayBuffer {
      return context.getArrayBuffer(handle).consume(({ value }) => {
        copiedBytes += value.byteLength;
        if (copiedBytes > PACKED_LIMITS.binary)
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
      // An answer that is not disposed occupies the program's memory until the end of the run.
      for (const arg of args) arg.dispose();
      return result;
    },
    newText: (value) => context.newString(value),
    newBuffers: (buffers) => buffers.map((buffer) => context.newArrayBuffer(buffer)),
  };
  return engine;
}

/** The library does not expose its WebAssembly module, but the memory limit measures the free memory with its allocator. */
function allocatorOf(quickjs: QuickJSWASMModule): Heap {
  const { module } = quickjs as unknown as { readonly module?: Partial<Heap> };
  if (typeof module?._malloc !== 'function' || typeof module._free !== 'function') {
    throw new Error(
      'This version of quickjs-emscripten has no _malloc and _free, which the memory limit needs',
    );
  }
  return module as Heap;
}
