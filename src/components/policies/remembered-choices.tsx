import { useId, useRef, useState, useSyncExternalStore } from 'react';
import type {
  RememberedChoice,
  RememberedChoiceStore,
} from '../../core/policies/create-remembered-choices.ts';
import { isRecord } from '../../shared/json.ts';
import { ArgumentsTable } from '../arguments/arguments-table.tsx';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { englishPolicyLabels } from '../text/policy-labels.ts';
import { displayText, humaniseName } from '../text/safe-text.ts';
import { formatDate } from './audit-trail.tsx';

export interface RememberedChoicesProps {
  /** The store that the chat has as `rememberedChoices`. */
  readonly choices: RememberedChoiceStore;
  /** Returns the title of a tool. Default: the title that the person read, or else its name in readable form. */
  readonly titleOf?: ((toolName: string) => string | undefined) | undefined;
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/** The remembered choices, each with a button that revokes it. */
export function RememberedChoices({ labels, slots, ...props }: RememberedChoicesProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <List {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function List({ choices, titleOf, className }: Omit<RememberedChoicesProps, 'labels' | 'slots'>) {
  const labels = useLabels(englishPolicyLabels);
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const [announced, setAnnounced] = useState('');
  const remembered = useSyncExternalStore(choices.subscribe, choices.getChoices, choices.getChoices);
  const nameOf = ({ toolName, title }: RememberedChoice) =>
    titleOf?.(toolName) ?? (title === undefined ? humaniseName(toolName) : displayText(title, 120));
  const announceRevoked = (revoked: readonly RememberedChoice[]) => {
    setAnnounced([...new Set(revoked.map(nameOf))].map((name) => labels.revoked(name)).join(' '));
    // The pressed button disappears. Without this, the browser would move the focus to the top of the page.
    section.current?.focus();
  };
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={joinWords('hr-piece', 'hr-policies', className)}
      aria-labelledby={`${id}title`}
    >
      <Slot slotName="title" as="h3" className="hr-title" id={`${id}title`}>
        {labels.rememberedChoices}
      </Slot>
      {remembered.length === 0 && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.noRememberedChoices}
        </Slot>
      )}
      <ul className="hr-rows" aria-labelledby={`${id}title`}>
        {remembered.map((choice) => (
          <ChoiceRow
            key={choice.id}
            choice={choice}
            name={nameOf(choice)}
            onRevoke={() => {
              void choices.revoke(choice.id);
              announceRevoked([choice]);
            }}
          />
        ))}
      </ul>
      {remembered.length > 1 && (
        <Button
          onClick={() => {
            void choices.revokeAll();
            announceRevoked(remembered);
          }}
        >
          {labels.revokeAll}
        </Button>
      )}
      <Announcement text={announced} />
    </section>
  );
}

function ChoiceRow({
  choice: { choice, scope, rememberedAt, args },
  name,
  onRevoke,
}: {
  choice: RememberedChoice;
  name: string;
  onRevoke: () => void;
}) {
  const labels = useLabels(englishPolicyLabels);
  return (
    <Slot slotName="row" as="li" className="hr-row" data-choice={choice} data-scope={scope}>
      <div className="hr-row-field">
        <p>
          <strong>{name}</strong> <span className="hr-call-word">{labels.rememberedDecisions[choice]}</span>
        </p>
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.rememberedSince(scope, formatDate(rememberedAt, labels.locale), readNames(args))}
        </Slot>
        {isRecord(args) && <ArgumentsTable args={args} label={labels.rememberedArguments} />}
      </div>
      <Button onClick={onRevoke} aria-label={labels.revokeChoice(name)}>
        {labels.revoke}
      </Button>
    </Slot>
  );
}

function readNames(args: unknown): readonly string[] {
  return Object.keys(isRecord(args) ? args : {}).map((name) => humaniseName(name).toLocaleLowerCase());
}
