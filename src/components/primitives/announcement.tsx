import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react';

type Announce = (id: string, text: string) => void;

/** Passes announcements to the live region of a component above. */
export const AnnounceContext = /* @__PURE__ */ createContext<Announce | undefined>(undefined);

/** Collects the announcements of the components below. Give `announce` to `AnnounceContext` and `text` to the live region. */
export function useAnnouncements(): { readonly announce: Announce; readonly text: string } {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(() => new Map());
  const announce = useCallback<Announce>((id, text) => {
    setTexts((earlier) => {
      if ((earlier.get(id) ?? '') === text) return earlier;
      const next = new Map(earlier);
      if (text === '') next.delete(id);
      else next.set(id, text);
      return next;
    });
  }, []);
  return { announce, text: [...texts.values()].join(' ') };
}

/** The live region for all announcements below. Renders none when a component above has one already. */
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
 * Text for screen readers, read out when it changes. It goes to the one live region of the tree, because screen readers
 * read several regions in any order, and often skip a region that is removed with its dialog. An announcement outside of
 * every region, as in a composer, renders its own.
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
