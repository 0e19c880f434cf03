import { useId, useRef, useState, useSyncExternalStore } from 'react';
import { isRecord } from '../../shared/json.ts';
import type { RememberedChoice, RememberedChoiceStore } from '../../store/remembered-choices.ts';
import { Announcement } from '../parts/announcement.tsx';
import { ArgumentsView } from '../parts/arguments-view.tsx';
import { Button } from '../parts/button.tsx';
import { joinWords } from '../parts/join-words.ts';
import { Part, type Parts, PartsProvider } from '../parts/part.tsx';
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
  /** Class names and renderers of its parts, see {@link Parts}. */
  readonly parts?: Parts | undefined;
  readonly className?: string | undefined;
}

/** What a person wanted to have remembered, and a way to take each of it back. */
export function RememberedChoices({ labels, parts, ...props }: RememberedChoicesProps) {
  return (
    <LabelsProvider labels={labels}>
      <PartsProvider parts={parts}>
        <List {...props} />
      </PartsProvider>
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
      <Part partName="title" as="h3" className="hr-title" id={`${id}title`}>
        {labels.rememberedChoices}
      </Part>
      {kept.length === 0 && (
        <Part partName="hint" as="p" className="hr-hint">
          {labels.noRememberedChoices}
        </Part>
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
    <Part partName="row" as="li" className="hr-row" data-choice={choice} data-scope={scope}>
      <div className="hr-row-field">
        <p>
          <strong>{name}</strong> <span className="hr-call-word">{labels.rememberedWords[choice]}</span>
        </p>
        <Part partName="hint" as="p" className="hr-hint">
          {labels.rememberedSince(scope, formatDate(rememberedAt))}
        </Part>
        {isRecord(args) && <ArgumentsView value={args} label={labels.rememberedArguments} />}
      </div>
      <Button onClick={onForget} aria-label={labels.revokeChoice(name)}>
        {labels.revoke}
      </Button>
    </Part>
  );
}
