import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react';

type Announce = (id: string, text: string) => void;

/** Set where one live region speaks for everything below it. */
export const AnnounceContext = /* @__PURE__ */ createContext<Announce | undefined>(undefined);

/** What the parts below have to say at this moment. Give `announce` to `AnnounceContext`, `text` to the region. */
export function useAnnouncements(): { readonly announce: Announce; readonly text: string } {
  const [said, setSaid] = useState<ReadonlyMap<string, string>>(() => new Map());
  const announce = useCallback<Announce>((id, text) => {
    setSaid((earlier) => {
      if ((earlier.get(id) ?? '') === text) return earlier;
      const next = new Map(earlier);
      if (text === '') next.delete(id);
      else next.set(id, text);
      return next;
    });
  }, []);
  return { announce, text: [...said.values()].join(' ') };
}

/** The one live region for all that is announced below, unless one above speaks for it already. */
export function Announcements({ children }: { children: ReactNode }) {
  const above = useContext(AnnounceContext);
  const { announce, text } = useAnnouncements();
  return (
    <>
      <AnnounceContext.Provider value={above ?? announce}>{children}</AnnounceContext.Provider>
      <Announcement text={text} />
    </>
  );
}

/**
 * Text for ears only, read out when it changes. It goes to the one live region of the tree: several of them are
 * read out in any order, and one that goes away with its dialog is often not read out at all. What stands in none,
 * such as a composer, brings its own.
 */
export function Announcement({ text }: { text: string }) {
  const announce = useContext(AnnounceContext);
  const id = useId();
  useEffect(() => {
    announce?.(id, text);
    return () => announce?.(id, '');
  }, [announce, id, text]);
  if (announce !== undefined) return null;
  return (
    <span className="hr-hidden" role="status" aria-live="polite">
      {text}
    </span>
  );
}
