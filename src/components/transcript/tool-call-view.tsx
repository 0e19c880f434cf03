import { useContext } from 'react';
import type { ToolCallPart } from '../../core/state/message.ts';
import type { InteractiveTool } from '../../core/tools/client-tool.ts';
import { useArgumentsSchema } from '../arguments/call-arguments.tsx';
import { CallBody } from '../arguments/call-body.tsx';
import { CallMainValue } from '../arguments/call-main-value.tsx';
import { CloseIcon, OfflineIcon, SpinnerIcon, StatusIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { describeCall } from '../text/answer-words.ts';
import { englishDeliveryLabels } from '../text/delivery-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { nameCall } from '../text/name-call.ts';
import { englishTranscriptLabels, type TranscriptLabels } from '../text/transcript-labels.ts';
import { CallFiles } from './call-files.tsx';
import { CallProgress } from './call-progress.tsx';
import { PendingToolsContext } from './custom-tool-call.tsx';
import { DeliveryNote, useShownDelivery } from './delivery-note.tsx';
import { ProviderCallBody } from './provider-call-body.tsx';

export interface ToolCallViewProps {
  readonly part: ToolCallPart;
  /** The call waits for a person, see `usePendingClientTools`. Default `false`. */
  readonly waiting?: boolean | undefined;
  readonly className?: string | undefined;
}

/**
 * A tool call in the transcript: one line with the tool, the place where it runs and its outcome; arguments and result on
 * demand, unless the backend shows the call by its title alone. A call that the provider of the model executed lists its steps, sources
 * and files. A call that other people have to answer says who is waited for, and then who answered. An answer that the
 * backend does not have yet says so, and can be taken back while it was not sent. `data-status`, `data-outcome`, `data-waiting`, `data-place` and `data-delivery` are for style sheets.
 */
export function ToolCallView({ part, waiting = false, className }: ToolCallViewProps) {
  const labels = useLabels(englishDeliveryLabels, englishTranscriptLabels);
  const { status, outcome } = part;
  const tool = useContext(PendingToolsContext).find(({ toolCallId }) => toolCallId === part.toolCallId);
  const isForOthers = status === 'running' && (tool ? tool.mayAnswer === false : !waiting && isAsked(part));
  const isForMe = waiting && !isForOthers;
  // Why the server did not take the answer that this person gave.
  const error = part.error ?? (isForOthers ? tool?.refusal : undefined);
  const place = findPlace(part);
  const isByTitle = part.display === 'title';
  const delivery = useShownDelivery(part);
  const shown = useShownCall(part, tool);
  // Where people are asked, the row says whom it waits for, and what they said.
  const isPlaceShown = place !== undefined && !isForMe && !isForOthers && outcome === undefined;
  const sent = delivery !== undefined && delivery !== 'received' && (
    <span className="hr-call-delivery">{labels.delivery[delivery]}</span>
  );
  return (
    <>
      <Slot
        slotName="call"
        as="details"
        className={joinWords('hr-piece', 'hr-call', className)}
        data-status={status}
        data-outcome={outcome}
        data-waiting={isForMe ? '' : undefined}
        data-place={place}
        data-delivery={delivery}
      >
        <summary>
          <CallIcon delivery={delivery} status={outcome === 'declined' ? 'cancelled' : status} />
          <span className="hr-call-name">{nameCall(part)}</span>
          {!isByTitle && (
            <CallMainValue args={shown.args} schema={shown.inputSchema} originalArgs={shown.originalArgs} />
          )}
          {isPlaceShown && <span className="hr-faint">{labels.callPlaces[place]}</span>}
          {!isForMe && !isForOthers && status === 'running' && <CallProgress progress={part.progress} />}
          {delivery === 'refused' && sent}
          <span className="hr-call-word">
            {isForMe && labels.callStatus.waiting}
            {isForOthers && labels.waitsFor(tool?.waitsFor ?? part.waitsFor)}
            {!isForMe && !isForOthers && describeCall(part, labels)}
          </span>
          {delivery !== 'refused' && sent}
        </summary>
        {/* Without anything in its body, the call cannot be opened. */}
        {place === 'provider' && !isByTitle ? (
          <ProviderCallBody part={part} />
        ) : (
          <CallBody call={isByTitle ? { error } : { ...shown, error }} />
        )}
        <CallFiles files={part.files} />
      </Slot>
      <DeliveryNote part={part} />
    </>
  );
}

interface CallIconProps {
  readonly delivery: ToolCallPart['delivery'];
  readonly status: ToolCallPart['status'];
}

/** The mark of the row: that of an answer on its way comes before that of the call. */
function CallIcon({ delivery, status }: CallIconProps) {
  switch (delivery) {
    case 'sending':
      return (
        <span className="hr-status-icon">
          <SpinnerIcon />
        </span>
      );
    case 'not-sent':
      return (
        <span className="hr-status-icon">
          <OfflineIcon />
        </span>
      );
    case 'refused':
      return (
        <span className="hr-status-icon">
          <CloseIcon />
        </span>
      );
    default:
      return <StatusIcon status={status} />;
  }
}

/** A call with what describes its arguments. While it waits, the tool of this page knows its schema. */
function useShownCall(part: ToolCallPart, tool: InteractiveTool | undefined) {
  const known = useArgumentsSchema(tool?.definition);
  return {
    args: part.args,
    result: part.result,
    inputSchema: part.inputSchema ?? known,
    originalArgs: part.originalArgs,
  };
}

/** Somebody is waited for, and has not answered yet. */
function isAsked({ waitsFor, outcome }: ToolCallPart): boolean {
  return waitsFor !== undefined && outcome === undefined;
}

/** Backends name tools of a provider or of an MCP server with a prefix. A tool of the page runs here, whatever its name. */
function findPlace({ executedBy, toolName }: ToolCallPart): keyof TranscriptLabels['callPlaces'] | undefined {
  if (executedBy === 'client' || executedBy === 'provider') return executedBy;
  if (toolName.startsWith('provider:')) return 'provider';
  return toolName.startsWith('mcp:') ? 'mcp' : executedBy;
}
