import { createAuditTrail, createRememberedChoices, createWebStorage } from 'handrail';
import { AuditTrail, RememberedChoices } from 'handrail/components';

export const choices = createRememberedChoices();
export const trail = createAuditTrail({ storage: createWebStorage(() => sessionStorage) });

/** What was to be remembered, to take back, and what was answered in this tab. */
export function Policies() {
  return (
    <details className="policies">
      <summary>Choices and answers</summary>
      <div>
        <RememberedChoices choices={choices} />
        <AuditTrail trail={trail} limit={10} />
      </div>
    </details>
  );
}
