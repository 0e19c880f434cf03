/** Adds listeners to the trace of a chat that runs already, beside the option `trace` of the app. */
import type { AgentChat } from '../core/chat/agent-chat.ts';
import type { ChatTraceStep, Tracer } from '../core/chat/trace.ts';
import { invalidOptions } from '../shared/errors.ts';
import { callSafely } from '../shared/report-thrown.ts';

type Listener = (step: ChatTraceStep) => void;

/** Listeners by tracer: several recorders may listen to one chat, and end in any order. */
const listenersOf = /* @__PURE__ */ new WeakMap<Tracer, Set<Listener>>();

/**
 * Calls back with each step of the chat from now on. Returns the function that ends it.
 *
 * @throws AgentChatError `invalid_options` for something that is no chat of this package
 */
export function listenToTrace(chat: AgentChat, listener: Listener): () => void {
  const { tracer } = (chat ?? {}) as { readonly tracer?: Tracer };
  if (tracer === undefined) {
    throw invalidOptions(
      'createRecorder got something that is no chat. Give it what useAgentChat or createAgentChat of the same copy of handrail returned.',
    );
  }
  const listeners = listenersOf.get(tracer) ?? addTo(tracer);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function addTo(tracer: Tracer): Set<Listener> {
  const listeners = new Set<Listener>();
  listenersOf.set(tracer, listeners);
  const { options } = tracer;
  tracer.options = () => {
    const given = options();
    if (listeners.size === 0) return given;
    return {
      trace(step) {
        for (const listener of listeners) callSafely(() => listener(step));
        given.trace?.(step);
      },
    };
  };
  return listeners;
}
