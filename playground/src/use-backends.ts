import { useEffect, useState } from 'react';
import type { Carrier } from './settings.ts';

/** A backend of the playground's server. */
export interface BackendInfo {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Ways to talk to it; the first one where the page is set to another. */
  readonly carriers: readonly Carrier[];
  /** True if a message may have files. */
  readonly takesFiles?: boolean;
  readonly hasInbox?: boolean;
  /** Tools about which it asks by itself. */
  readonly asksAbout?: readonly string[];
  /** True for `handrail/server`: it knows who may answer, and opens conversations on further devices. */
  readonly isOwnServer?: boolean;
  /** True if the page can show the nodes that serve it, and kill them. */
  readonly showsNodes?: boolean;
  /** What the server's machine lacks for it, and how to install it. Undefined if it can be used. */
  readonly missing?: string;
}

/** The backends the server has, once it has told, or why it has not. */
export function useBackends(): {
  readonly backends: readonly BackendInfo[];
  readonly problem: string | undefined;
} {
  const [backends, setBackends] = useState<readonly BackendInfo[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    fetch('/api/backends', { signal: abort.signal })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
      .then(setBackends)
      .catch(() => {
        if (!abort.signal.aborted) setProblem('The agent server does not answer. Is "npm start" running?');
      });
    return () => abort.abort();
  }, []);
  return { backends, problem };
}

/** A real model where there is one: whoever gave the server a key wants to talk to it. */
export function pickBackend(
  backends: readonly BackendInfo[],
  wanted: string | undefined,
): BackendInfo | undefined {
  const named = (id: string | undefined) => backends.find((backend) => backend.id === id);
  return named(wanted) ?? named('model') ?? backends[0];
}
