/**
 * A page that an MCP server wants opened (MCP elicitation, URL mode): a person reads the URL, opens the page in a new
 * tab, and presses "Done".
 *
 * When the answer is sent. `accept` means only that the person agreed to open the page, and no call is answered twice. So
 * the dialog answers on "Done", not on "Open page": until then the person can still cancel because the page did not load
 * or is not the right one. Where the server repeats its original request after the answer, it also finds the page visited
 * instead of asking again. A call with a deadline is the exception: the deadline may pass while the person is on the page
 * and the consent would be lost, so there the dialog answers on opening.
 *
 * Why `window.open` and not a link. Speculation rules, scripts and the network stack may prefetch a link before the
 * person consents, and the browser's menu opens it without us. `noopener,noreferrer` cuts both ways back to this page;
 * then a blocked pop-up cannot be detected, hence "Open again".
 */

import { type RefObject, useContext, useEffect, useId, useRef, useState } from 'react';
import { isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { RetainedQuestionsContext } from '../hooks/surface-context.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import type { QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { englishElicitationLabels } from '../text/elicitation-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { CheckedUrl } from './check-url.ts';
import { PageAddress } from './page-address.tsx';

type PageProps = QuestionBodyProps & { tool: AnyTool; url: CheckedUrl };

export function PageBody({ tool, prompt, severity, answer, url }: PageProps) {
  const labels = useLabels(englishElicitationLabels);
  const addressId = useId();
  const page = usePageOpening({ tool, answer, url });
  const gone = answer.state.status === 'gone';
  const busy = answer.state.status === 'settled';
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      <Slot slotName="body" as="div" className="hr-body">
        <PageAddress id={addressId} url={url} opened={page.opened} />
        <CallDetails tool={tool} />
        <AnswerNotice state={answer.state} />
        <Announcement text={page.opened && !gone && !busy ? labels.pageOpened : ''} />
      </Slot>
      <Slot slotName="footer" as="div" className="hr-footer">
        {gone ? (
          <Button look="primary" onClick={answer.dismiss}>
            {labels.close}
          </Button>
        ) : url.status === 'blocked' ? (
          <BlockedActions answer={answer} addressId={addressId} busy={busy} />
        ) : page.opened ? (
          <OpenedActions answer={answer} busy={busy} doneRef={page.doneRef} onOpen={page.open} />
        ) : (
          <OpenActions
            answer={answer}
            addressId={addressId}
            busy={busy}
            severity={severity}
            onOpen={page.open}
          />
        )}
      </Slot>
    </>
  );
}

/** Opens the page, remembers with the call that it was opened, and moves the focus to "Done". */
function usePageOpening({ tool, answer, url }: Pick<PageProps, 'tool' | 'answer' | 'url'>) {
  const markDirty = useContext(RetainedQuestionsContext)?.markDirty;
  // The call remembers it, because coming back from the page may reload this one.
  const [opened, setOpened] = useState(() => url.status === 'openable' && wasOpened(tool.getSavedInput?.()));
  const doneRef = useRef<HTMLButtonElement>(null);
  const justOpened = useRef(false);
  useEffect(() => {
    // Other buttons have replaced the one that was pressed and had the focus.
    if (!opened || !justOpened.current) return;
    doneRef.current?.focus();
    justOpened.current = false;
  }, [opened]);
  const open = () => {
    if (url.status === 'blocked') return;
    const isAnswer = tool.expiresAt !== undefined;
    // When the call is over, the agent does not wait for what the person would do on the page.
    if (isAnswer && !answer.submit(null).settled) return;
    window.open(url.href, '_blank', 'noopener,noreferrer');
    if (isAnswer) return;
    justOpened.current = !opened;
    markDirty?.(tool);
    tool.saveInput?.({ opened: true });
    setOpened(true);
  };
  return { opened, doneRef, open };
}

function wasOpened(savedInput: unknown): boolean {
  return isRecord(savedInput) && savedInput.opened === true;
}

interface ActionsProps extends Pick<QuestionBodyProps, 'answer'> {
  readonly busy: boolean;
}

function BlockedActions({ answer, addressId, busy }: ActionsProps & { addressId: string }) {
  const labels = useLabels();
  return (
    <>
      <Button answers onClick={answer.dismiss} aria-disabled={busy}>
        {labels.cancel}
      </Button>
      <Button
        answers
        onClick={() => answer.decline()}
        autofocus
        aria-describedby={addressId}
        aria-disabled={busy}
      >
        {labels.decline}
      </Button>
    </>
  );
}

function OpenActions({
  answer,
  addressId,
  busy,
  severity,
  onOpen,
}: ActionsProps & Pick<QuestionBodyProps, 'severity'> & { addressId: string; onOpen: () => void }) {
  const labels = useLabels(englishElicitationLabels);
  const isSafe = severity === 'neutral';
  return (
    <>
      <Button
        answers
        onClick={() => answer.decline()}
        autofocus={!isSafe}
        aria-describedby={addressId}
        aria-disabled={busy}
      >
        {labels.decline}
      </Button>
      <Button
        look="primary"
        data-severity={severity}
        answers
        onClick={onOpen}
        autofocus={isSafe}
        aria-describedby={addressId}
        aria-disabled={busy}
      >
        {labels.openPage}
      </Button>
    </>
  );
}

function OpenedActions({
  answer,
  busy,
  doneRef,
  onOpen,
}: ActionsProps & { doneRef: RefObject<HTMLButtonElement | null>; onOpen: () => void }) {
  const labels = useLabels(englishElicitationLabels);
  return (
    <>
      <Button answers onClick={answer.leave} aria-disabled={busy}>
        {labels.cancel}
      </Button>
      <Button onClick={onOpen} aria-disabled={busy}>
        {labels.openPageAgain}
      </Button>
      <Button
        ref={doneRef}
        look="primary"
        autofocus
        aria-disabled={busy}
        onClick={({ detail }) => {
          // The second click of a double click on "Open page" lands on this button, which has taken its place.
          if (detail <= 1) answer.submit(null);
        }}
      >
        {labels.pageDone}
      </Button>
    </>
  );
}
