import { markIcon } from './mark-icon.ts';

/** The part of one chat in the title of the page. */
export interface AttentionClaim {
  /** The number of questions that wait for the person. */
  readonly count: number;
  /** @param count the questions of all chats of the page */
  toTitle(count: number): string;
}

/**
 * Says in the title and the icon of a page that the person is waited for. A document has one, so that several chats of a page count
 * together and none takes the title of another for the page's own.
 */
export class PageAttention {
  readonly #document: Document;
  readonly #claims = new Map<object, AttentionClaim>();
  /** The title of the page without the mark. */
  #ownTitle = '';
  /** The title as it was last written here; undefined while nobody is waited for. */
  #written: string | undefined;
  #unmarkIcon: (() => void) | undefined;

  constructor(document: Document) {
    this.#document = document;
  }

  /** Sets what `source` claims, which any object identifies. A count of 0 withdraws the claim. */
  claim(source: object, claim: AttentionClaim): void {
    if (claim.count > 0) this.#claims.set(source, claim);
    else this.#claims.delete(source);
    this.#update();
  }

  #update(): void {
    const [first] = this.#claims.values();
    if (!first) return this.#restore();
    let count = 0;
    for (const claim of this.#claims.values()) count += claim.count;
    // The app may have changed the title since.
    if (this.#document.title !== this.#written) this.#ownTitle = this.#document.title;
    this.#document.title = first.toTitle(count);
    this.#written = this.#document.title;
    this.#unmarkIcon ??= markIcon(this.#document);
  }

  #restore(): void {
    if (this.#document.title === this.#written) this.#document.title = this.#ownTitle;
    this.#written = undefined;
    this.#unmarkIcon?.();
    this.#unmarkIcon = undefined;
  }
}

const pages = /* @__PURE__ */ new WeakMap<Document, PageAttention>();

/** Returns the one of a document. */
export function findPageAttention(document: Document): PageAttention {
  const known = pages.get(document);
  if (known) return known;
  const created = new PageAttention(document);
  pages.set(document, created);
  return created;
}
