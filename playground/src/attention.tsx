import { useAttention } from 'handrail';

/** Marks the tab while the agent waits. Where the browser has not been asked yet, a press asks for notifications. */
export function Attention() {
  const { permission, requestPermission } = useAttention();
  if (permission !== 'default') return null;
  return (
    <button type="button" className="attention" onClick={() => void requestPermission()}>
      Notify me when the agent asks
    </button>
  );
}
