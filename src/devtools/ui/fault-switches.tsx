import { useSyncExternalStore } from 'react';
import type { FaultSettings, Faults } from '../create-faults.ts';

/** Switches that make the transport fail. */
export function FaultSwitches({ faults }: { readonly faults: Faults | undefined }) {
  if (faults === undefined) {
    return (
      <p className="note">
        To drop and delay requests, give the chat a wrapped transport: const faults = createFaults();
        transport: faults.wrap(transport); &lt;HandrailDevtools chat=&#123;chat&#125;
        faults=&#123;faults&#125; /&gt;
      </p>
    );
  }
  return <Switches faults={faults} />;
}

function Switches({ faults }: { readonly faults: Faults }) {
  const settings = useSyncExternalStore(faults.subscribe, faults.getSettings, faults.getSettings);
  return (
    <div className="faults">
      <DropSwitch name="dropRequests" label="Drop requests" {...{ faults, settings }} />
      <DropSwitch name="dropEvents" label="Drop events" {...{ faults, settings }} />
      <DelayField name="delayRequestsMs" label="Delay requests (ms)" {...{ faults, settings }} />
      <DelayField name="delayEventsMs" label="Delay events (ms)" {...{ faults, settings }} />
    </div>
  );
}

interface FieldProps<Name extends keyof FaultSettings> {
  readonly name: Name;
  readonly label: string;
  readonly faults: Faults;
  readonly settings: FaultSettings;
}

function DropSwitch({ name, label, faults, settings }: FieldProps<'dropRequests' | 'dropEvents'>) {
  return (
    <label>
      <input
        type="checkbox"
        checked={settings[name]}
        onChange={(event) => faults.set({ [name]: event.target.checked })}
      />
      {label}
    </label>
  );
}

function DelayField({ name, label, faults, settings }: FieldProps<'delayRequestsMs' | 'delayEventsMs'>) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        step={100}
        value={settings[name]}
        // An empty field is no delay.
        onChange={(event) => faults.set({ [name]: Math.max(0, Number(event.target.value)) })}
      />
    </label>
  );
}
