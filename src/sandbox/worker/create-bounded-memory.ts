/**
 * The memory of one engine, with a reliable upper bound.
 *
 * QuickJS has a limit of its own, but builds for WebAssembly cannot find out the size of a block, so they count almost
 * nothing. The module's memory is a reliable place: the allocator grows it for every byte beyond the first pages.
 */
export interface BoundedMemory {
  readonly memory: WebAssembly.Memory;
  /** Allows this many more bytes, with an error of at most a page and 5 %. */
  limit(bytes: number, heap: Heap): void;
  /** Called at once for a refused allocation, because some built-ins continue for a long time after one. */
  onExceeded: () => void;
}

/** The allocator inside the module. */
export interface Heap {
  /** Returns 0 when the heap is full. */
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}

const PAGE = 64 * 1024;
/** The engine's module is built with these limits. */
const INITIAL_PAGES = 256;
const MAXIMUM_PAGES = 32_768;
/** The allocator asks for 20 % more than it needs, then for 10 %, then for 5 %, and then reports a failed allocation. */
const ATTEMPTS = 3;
/** Larger than any hole that the start of the engine leaves in the heap, and smaller than the free rest at its top. */
const PROBE = 1024 * 1024;

export function createBoundedMemory(): BoundedMemory {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAXIMUM_PAGES });
  let allowed = INITIAL_PAGES * PAGE;
  let refused = 0;

  // The engine's allocator calls this own property of the instance instead of the method of the prototype.
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
      // The first pages exist from the start. If the limit is below their free room, this block occupies the rest.
      if (bytes < room) heap._malloc(room - bytes);
      else allowed = memory.buffer.byteLength + bytes - room;
    },
  };
  return bounded;
}

/**
 * Returns the bytes that the heap can allocate without growing. A block that fits into no hole lies at the top of the heap,
 * and everything behind it is free. (Trying ever larger sizes would do harm: after a failure the allocator no longer joins
 * free blocks.)
 */
function roomAtTop(heap: Heap, total: number): number {
  const pointer = heap._malloc(PROBE);
  heap._free(pointer);
  return total - pointer;
}
