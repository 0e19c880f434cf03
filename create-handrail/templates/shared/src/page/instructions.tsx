import { AgentNote } from './agent-note.tsx';

/** What a developer sees before the first message. Put your own welcome here. */
export function Instructions() {
  return (
    <div className="instructions">
      <h2>Try it</h2>
      <ol>
        <li>Say “refund 89 EUR for order 4711”, and confirm.</li>
        <li>
          Above 50 EUR a second person decides:{' '}
          <a href="/inbox" target="_blank" rel="noreferrer">
            open the inbox of Grace
          </a>
          .
        </li>
        <li>Say “copy”: that tool runs in this browser, once you allow it.</li>
      </ol>
      <h2>Change it</h2>
      <ul>
        <li>
          <AgentNote />
        </li>
        <li>
          <code>src/agent/tools.ts</code> has the tools of the server, and who may answer their questions.
        </li>
        <li>
          <code>src/page/client-tools.ts</code> has the tools of the browser.
        </li>
        <li>
          <code>src/agent/people.ts</code> says who sent a request: your login goes there.
        </li>
      </ul>
    </div>
  );
}
