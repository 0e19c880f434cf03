/**
 * The memory of one engine, with an upper bound that holds.
 *
 * QuickJS has a limit of its own, but in builds for WebAssembly it cannot learn the size of a block and so counts
 * hardly anything. The memory of the module knows: it is asked for every byte beyond its first pages.
 */
export interface BoundedMemory {
  readonly memory: WebAssembly.Memory;
  /** Lets this much more be allocated, give or take a page and a twentieth. */
  limit(bytes: number, heap: Heap): void;
  /** Called as soon as an allocation is refused: some built-ins go on for long with what they did not get. */
  onExceeded: () => void;
}

/** The allocator inside the module. */
export interface Heap {
  /** Returns 0 when there is no room. */
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}

const PAGE = 64 * 1024;
/** The limits with which the engine's module is built. */
const INITIAL_PAGES = 256;
const MAXIMUM_PAGES = 32_768;
/** The module asks for a fifth more than it needs, then for a tenth, then for a twentieth, and then gives up. */
const ATTEMPTS = 3;
/** Larger than any hole that starting the engine leaves behind, smaller than what it leaves free. */
const PROBE = 1024 * 1024;

export function createBoundedMemory(): BoundedMemory {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAXIMUM_PAGES });
  let allowed = INITIAL_PAGES * PAGE;
  let refused = 0;

  // Own property of the one instance: the engine's allocator comes through here.
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > allowed) {
      refused++;
      if (refused === ATTEMPTS) bounded.onExceeded();
      throw new RangeError('The memory of the sandbox must not grow further');
    }
    refused = 0;
    return WebAssembly.Memory.prototype.grow.call(memory, pages);
  };

  const bounded: BoundedMemory = {
    memory,
    onExceeded() {},
    limit(bytes, heap) {
      const room = roomAtTop(heap, memory.buffer.byteLength);
      // The first pages are there whether they may be used or not, so what must not be used is taken.
      if (bytes < room) heap._malloc(room - bytes);
      else allowed = memory.buffer.byteLength + bytes - room;
    },
  };
  return bounded;
}

/**
 * How much can be allocated without growing. A block that fits into no hole lies at the top of the heap, and all
 * behind it is free. (Trying how much fits would do harm: once refused, the allocator gives up joining its blocks.)
 */
function roomAtTop(heap: Heap, total: number): number {
  const pointer = heap._malloc(PROBE);
  heap._free(pointer);
  return total - pointer;
}
