import { createAuditTrail, createRememberedChoices, createWebStorage } from 'handrail';
import { AuditTrail, RememberedChoices } from 'handrail/components';
import { clientTools } from './client-tools.ts';

export const choices = createRememberedChoices();
export const trail = createAuditTrail({ storage: createWebStorage(() => sessionStorage) });

/** The title in the definition of a tool: the dialogs show the same one. */
function titleOf(toolName: string): string | undefined {
  const tool: unknown = Object.entries(clientTools).find(([name]) => name === toolName)?.[1];
  return (tool as { title?: string } | undefined)?.title;
}

/** What was to be remembered, to take back, and what was answered in this tab. */
export function Policies() {
  return (
    <details className="policies">
      <summary>Choices and answers</summary>
      <div>
        <RememberedChoices choices={choices} titleOf={titleOf} />
        <AuditTrail trail={trail} limit={10} titleOf={titleOf} />
      </div>
    </details>
  );
}
