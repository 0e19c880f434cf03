import { LogIcon, LogoIcon, NewIcon } from './icons.tsx';
import type { Carrier, Settings } from './settings.ts';
import { ThemeButton } from './theme-button.tsx';
import type { BackendInfo } from './use-backends.ts';

interface HeaderProps {
  readonly settings: Settings;
  readonly backends: readonly BackendInfo[];
  readonly showsLog: boolean;
  readonly onChange: (settings: Settings) => void;
  readonly onNew: () => void;
  readonly onToggleLog: () => void;
}

const CARRIERS: readonly { id: Carrier; label: string }[] = [
  { id: 'sse', label: 'SSE' },
  { id: 'socket', label: 'WebSocket' },
];

export function Header({ settings, backends, showsLog, onChange, onNew, onToggleLog }: HeaderProps) {
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
          {backends.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <fieldset className="switch">
          <legend className="visually-hidden">Transport</legend>
          {CARRIERS.map(({ id, label }) => (
            <label key={id}>
              <input
                type="radio"
                name="carrier"
                disabled={current?.carriers.includes(id) === false}
                value={id}
                checked={settings.carrier === id}
                onChange={() => onChange({ ...settings, carrier: id })}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
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
        <button
          type="button"
          className="icon-button"
          aria-label="Wire log"
          title="Wire log"
          aria-pressed={showsLog}
          onClick={onToggleLog}
        >
          <LogIcon />
        </button>
      </div>
    </header>
  );
}
