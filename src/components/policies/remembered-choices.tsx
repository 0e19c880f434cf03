import { useId, useRef, useState, useSyncExternalStore } from 'react';
import type { RememberedChoice, RememberedChoiceStore } from '../../policies/create-remembered-choices.ts';
import { isRecord } from '../../shared/json.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { humaniseName } from '../text/safe-text.ts';
import { formatDate } from './format-date.ts';

export interface RememberedChoicesProps {
  /** The store the chat has as `rememberedChoices`. */
  readonly choices: RememberedChoiceStore;
  /** What a tool is called for people, by its name. Default: its name made readable. */
  readonly titleOf?: ((toolName: string) => string | undefined) | undefined;
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers of its parts, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/** What a person wanted to have remembered, and a way to take each of it back. */
export function RememberedChoices({ labels, slots, ...props }: RememberedChoicesProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <List {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function List({ choices, titleOf, className }: Omit<RememberedChoicesProps, 'labels' | 'parts'>) {
  const labels = useLabels();
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('');
  const kept = useSyncExternalStore(choices.subscribe, choices.getChoices, choices.getChoices);
  const nameOf = (toolName: string) => titleOf?.(toolName) ?? humaniseName(toolName);
  const forget = (what: Promise<void>, names: readonly string[]) => {
    setSaid(names.map((name) => labels.revoked(nameOf(name))).join(' '));
    // The button that was pressed goes away; without this the keyboard would start at the top of the page.
    section.current?.focus();
    void what;
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
      {kept.length === 0 && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.noRememberedChoices}
        </Slot>
      )}
      <ul className="hr-rows" aria-labelledby={`${id}title`}>
        {kept.map((choice) => (
          <ChoiceRow
            key={choice.id}
            choice={choice}
            name={nameOf(choice.toolName)}
            onForget={() => forget(choices.revoke(choice.id), [choice.toolName])}
          />
        ))}
      </ul>
      {kept.length > 1 && (
        <Button
          onClick={() => forget(choices.revokeAll(), [...new Set(kept.map(({ toolName }) => toolName))])}
        >
          {labels.revokeAll}
        </Button>
      )}
      <Announcement text={said} />
    </section>
  );
}

function ChoiceRow({
  choice: { choice, scope, rememberedAt, args },
  name,
  onForget,
}: {
  choice: RememberedChoice;
  name: string;
  onForget: () => void;
}) {
  const labels = useLabels();
  return (
    <Slot slotName="row" as="li" className="hr-row" data-choice={choice} data-scope={scope}>
      <div className="hr-row-field">
        <p>
          <strong>{name}</strong> <span className="hr-call-word">{labels.rememberedDecisions[choice]}</span>
        </p>
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.rememberedSince(scope, formatDate(rememberedAt))}
        </Slot>
        {isRecord(args) && <ArgumentsView value={args} label={labels.rememberedArguments} />}
      </div>
      <Button onClick={onForget} aria-label={labels.revokeChoice(name)}>
        {labels.revoke}
      </Button>
    </Slot>
  );
}
