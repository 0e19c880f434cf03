/**
 * A page a server wants opened (MCP elicitation, URL mode): the address to read, then a new tab, then "I am done".
 *
 * When the answer goes out. `accept` says that the person agreed to open the page, no more, and it is the last word: no
 * call is answered twice. So it goes out with "I am done", not with "Open page". Until then the person can still say
 * `cancel` ("page could not load", "this is not my bank"); and where the answer is a retry of the original request, the
 * server finds the page visited instead of asking for it again. A call with a deadline is the exception: it may run out
 * while the person is on the page, and the consent be lost, so there opening answers.
 *
 * Why `window.open` and no link: a link is there before consent, for whatever prefetches links (speculation rules, scripts
 * of the page, the network stack), and can be opened past us from the browser's menu. `noopener,noreferrer` cuts both
 * ways back. Blocked pop-ups cannot be told apart then; "Open again" is for those.
 */
import { useContext, useEffect, useId, useRef, useState } from 'react';
import { isRecord } from '../../shared/json.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import type { QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { RetainedQuestionsContext } from '../primitives/surface-context.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { Page } from './judge-page.ts';
import { PageAddress } from './page-address.tsx';

export function PageBody({
  tool,
  prompt,
  severity,
  answer,
  page,
}: QuestionBodyProps & { tool: AnyTool; page: Page }) {
  const labels = useLabels();
  const addressId = useId();
  const noteTyped = useContext(RetainedQuestionsContext)?.markDirty;
  // Kept with the call, like a form's draft: the way back from a page may be a reload.
  const [opened, setOpened] = useState(() => page.state === 'openable' && wasOpened(tool.getSavedInput?.()));
  const doneRef = useRef<HTMLButtonElement>(null);
  const justOpened = useRef(false);
  useEffect(() => {
    // The button that was pressed is another one now.
    if (justOpened.current) doneRef.current?.focus();
    justOpened.current = false;
  });

  const open = (href: string) => {
    const isAnswer = tool.expiresAt !== undefined;
    // Where the question is over, nobody waits for what would be done on the page.
    if (isAnswer && !answer.submit(null).settled) return;
    window.open(href, '_blank', 'noopener,noreferrer');
    if (isAnswer) return;
    justOpened.current = !opened;
    noteTyped?.(tool);
    tool.saveInput?.({ opened: true });
    setOpened(true);
  };
  const gone = answer.state.status === 'gone';
  const busy = answer.state.status === 'settled';
  const isSafe = severity === 'neutral';
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      <Slot slotName="body" as="div" className="hr-body">
        <PageAddress id={addressId} page={page} opened={opened} />
        <CallDetails tool={tool} />
        <AnswerNotice state={answer.state} />
        <Announcement text={opened && !gone && !busy ? labels.pageOpened : ''} />
      </Slot>
      <Slot slotName="footer" as="footer" className="hr-footer">
        {gone ? (
          <Button look="primary" onClick={answer.dismiss}>
            {labels.close}
          </Button>
        ) : page.state === 'blocked' ? (
          <>
            <Button onClick={answer.dismiss} aria-disabled={busy}>
              {labels.cancel}
            </Button>
            <Button
              onClick={() => answer.decline()}
              autofocus
              aria-describedby={addressId}
              aria-disabled={busy}
            >
              {labels.decline}
            </Button>
          </>
        ) : opened ? (
          <>
            <Button key="cancel" onClick={answer.dismiss} aria-disabled={busy}>
              {labels.cancel}
            </Button>
            <Button key="again" onClick={() => open(page.href)} aria-disabled={busy}>
              {labels.openPageAgain}
            </Button>
            <Button
              key="done"
              ref={doneRef}
              look="primary"
              autofocus
              aria-disabled={busy}
              onClick={({ detail }) => {
                // The second click of a double click was meant for the button that stood here before.
                if (detail <= 1) answer.submit(null);
              }}
            >
              {labels.pageDone}
            </Button>
          </>
        ) : (
          <>
            <Button
              key="decline"
              onClick={() => answer.decline()}
              autofocus={!isSafe}
              aria-describedby={addressId}
              aria-disabled={busy}
            >
              {labels.decline}
            </Button>
            <Button
              key="open"
              look="primary"
              data-severity={severity}
              onClick={() => open(page.href)}
              autofocus={isSafe}
              aria-describedby={addressId}
              aria-disabled={busy}
            >
              {labels.openPage}
            </Button>
          </>
        )}
      </Slot>
    </>
  );
}

function wasOpened(draft: unknown): boolean {
  return isRecord(draft) && draft.opened === true;
}
