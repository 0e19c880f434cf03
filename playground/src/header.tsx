import type { ReactNode } from 'react';
import { LogoIcon, NewIcon } from './icons.tsx';
import type { Carrier, Questions, Settings, User } from './settings.ts';
import { Switch } from './switch.tsx';
import { ThemeButton } from './theme-button.tsx';
import type { BackendInfo } from './use-backends.ts';

interface HeaderProps {
  readonly settings: Settings;
  readonly backends: readonly BackendInfo[];
  readonly onChange: (settings: Settings) => void;
  readonly onNew: () => void;
  /** A second row. */
  readonly children?: ReactNode;
}

const CARRIERS: readonly { id: Carrier; label: string }[] = [
  { id: 'sse', label: 'SSE' },
  { id: 'socket', label: 'WebSocket' },
];

const QUESTIONS: readonly { id: Questions; label: string }[] = [
  { id: 'dialog', label: 'Dialogs' },
  { id: 'inline', label: 'Inline' },
];

const PEOPLE: readonly { id: User; label: string }[] = [
  { id: 'ada', label: 'Ada' },
  { id: 'grace', label: 'Grace (support)' },
  { id: 'lin', label: 'Lin (support)' },
];

export function Header({ settings, backends, onChange, onNew, children }: HeaderProps) {
  const current = backends.find(({ id }) => id === settings.backend);
  return (
    <header className="header">
      <div className="brand">
        <LogoIcon />
        <span>
          handrail <small>playground</small>
        </span>
      </div>
      <div className="header-settings">
        <select
          className="select"
          aria-label="Backend"
          title={current?.description}
          value={settings.backend ?? ''}
          onChange={(event) => onChange({ ...settings, backend: event.target.value })}
        >
          {backends.map(({ id, label, missing }) => (
            <option key={id} value={id}>
              {missing === undefined ? label : `${label}, not installed`}
            </option>
          ))}
        </select>
        <Switch
          name="carrier"
          legend="Transport"
          options={CARRIERS.map((carrier) => ({
            ...carrier,
            disabled: current?.carriers.includes(carrier.id) === false,
          }))}
          value={settings.carrier}
          onChange={(carrier) => onChange({ ...settings, carrier })}
        />
        <Switch
          name="questions"
          legend="Questions"
          options={QUESTIONS}
          value={settings.questions}
          onChange={(questions) => onChange({ ...settings, questions })}
        />
        {current?.isOwnServer && (
          <Switch
            name="user"
            legend="You are"
            options={PEOPLE}
            value={settings.user}
            onChange={(user) => onChange({ ...settings, user })}
          />
        )}
      </div>
      <div className="header-actions">
        <button
          type="button"
          className="icon-button"
          aria-label="New conversation"
          title="New conversation"
          onClick={onNew}
        >
          <NewIcon />
        </button>
        <ThemeButton />
      </div>
      {children}
    </header>
  );
}
