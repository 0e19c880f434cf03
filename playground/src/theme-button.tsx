import { useEffect, useState } from 'react';
import { ThemeIcon } from './icons.tsx';

/** Light or dark, as the system has it until somebody chooses. */
export function ThemeButton() {
  const [chosen, setChosen] = useState<'light' | 'dark'>();
  useEffect(() => {
    if (chosen !== undefined) document.documentElement.dataset.theme = chosen;
  }, [chosen]);
  const toggle = () => {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    setChosen((chosen ?? system) === 'dark' ? 'light' : 'dark');
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Switch between light and dark"
      title="Switch between light and dark"
      onClick={toggle}
    >
      <ThemeIcon />
    </button>
  );
}
