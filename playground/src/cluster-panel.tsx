import { useCallback, useEffect, useState } from 'react';

/** A node of the cluster, as the server describes it. */
interface NodeStatus {
  readonly name: string;
  readonly isUp: boolean;
  /** True if the agent of this conversation works in it. */
  readonly isRunning: boolean;
}

interface ClusterPanelProps {
  readonly backend: string;
  readonly session: string;
}

const REFRESH_MS = 500;

/** Shows which node runs the conversation, and kills nodes. */
export function ClusterPanel({ backend, session }: ClusterPanelProps) {
  const [nodes, setNodes] = useState<readonly NodeStatus[]>([]);
  const refresh = useCallback(
    (signal: AbortSignal) => {
      fetch(`/api/cluster?${new URLSearchParams({ backend, session })}`, { signal })
        .then((response) => response.json())
        .then(setNodes)
        // The next time may succeed.
        .catch(() => {});
    },
    [backend, session],
  );
  useEffect(() => {
    const abort = new AbortController();
    refresh(abort.signal);
    const timer = setInterval(() => refresh(abort.signal), REFRESH_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [refresh]);
  const kill = (name: string) => {
    fetch(`/api/cluster?kill=${name}`, { method: 'POST' }).catch(() => {});
  };

  return (
    <section className="cluster" aria-label="Nodes">
      <ul>
        {nodes.map((node) => (
          <li key={node.name} data-status={toStatus(node)}>
            <strong>{node.name}</strong> <span>{STATUS_WORDS[toStatus(node)]}</span>
            <button
              type="button"
              className="button"
              data-look="small"
              aria-label={`Kill this node: ${node.name}`}
              disabled={!node.isUp}
              onClick={() => kill(node.name)}
            >
              Kill this node
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const STATUS_WORDS = {
  down: 'is down, and comes back in a moment',
  running: 'runs this conversation',
  idle: 'waits',
} as const;

function toStatus({ isUp, isRunning }: NodeStatus): keyof typeof STATUS_WORDS {
  if (!isUp) return 'down';
  return isRunning ? 'running' : 'idle';
}
