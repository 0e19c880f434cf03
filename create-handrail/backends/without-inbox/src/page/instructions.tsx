import { AgentNote } from './agent-note.tsx';

/** What a developer sees before the first message. Put your own welcome here. */
export function Instructions() {
  return (
    <div className="instructions">
      <h2>Start it</h2>
      <ul>
        <li>
          <AgentNote />
        </li>
      </ul>
      <h2>Change it</h2>
      <ul>
        <li>
          <code>src/page/client-tools.ts</code> has the tools of the browser, with a refund that asks before
          it is made. Your agent calls them by their names.
        </li>
        <li>
          <code>src/agent/people.ts</code> says who sent a request: your login goes there.
        </li>
      </ul>
      <p>
        The agent keeps its own conversations here, so there is no inbox for a second person. That needs the
        server of handrail, as in the backends scripted and ai-sdk.
      </p>
    </div>
  );
}
