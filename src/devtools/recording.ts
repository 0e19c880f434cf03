/** The saved form of what a recorder saw: JSON that a person attaches to a bug report. */
import type { ChatTraceStep } from '../core/chat/trace.ts';
import type { ToolCallStatus } from '../core/state/message.ts';
import type { ChatStatus } from '../core/store/chat-state.ts';
import { invalidOptions } from '../shared/errors.ts';
import { isRecord, parseJson } from '../shared/json.ts';
import type { ToolOutcome } from '../shared/tool-outcome.ts';

/** A call of a recording. Secrets in `args` and `result` are masked. */
export interface RecordedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The status of its part in the message. */
  readonly status: ToolCallStatus;
  readonly outcome?: ToolOutcome | undefined;
  readonly args?: unknown;
  readonly result?: unknown;
  /** Names the people who are waited for. */
  readonly waitsFor?: string | undefined;
  /** How far the answer of this person is. */
  readonly delivery?: string | undefined;
}

/** The steps and calls of a chat. It is JSON, and holds no secret and no text of a message. */
export interface Recording {
  readonly format: 'handrail-recording';
  readonly version: 1;
  readonly chatId: string;
  /** The status of the chat at the latest step. */
  readonly status: ChatStatus;
  /** The code of the error with which the latest turn failed. */
  readonly errorCode?: string | undefined;
  /** The number of messages of the conversation. */
  readonly messages: number;
  /** Older steps that are no longer in `steps`. */
  readonly dropped: number;
  /** The steps, oldest first; at most 2,000. */
  readonly steps: readonly ChatTraceStep[];
  /** The calls of the conversation, oldest first. */
  readonly calls: readonly RecordedCall[];
}

/**
 * Reads a recording that was downloaded before.
 *
 * @param text JSON
 * @throws AgentChatError `invalid_options` if the text is no recording, or one of a later version
 */
export function readRecording(text: string): Recording {
  const value = parseJson(text);
  if (!isRecord(value) || value.format !== 'handrail-recording') {
    throw invalidOptions(
      'This file is no recording of handrail. Choose a file that the Download button of the devtools has saved.',
    );
  }
  if (value.version !== 1) {
    throw invalidOptions(
      `This recording has version ${value.version}, and this copy of handrail reads version 1. Open it with the handrail that saved it.`,
    );
  }
  const isWhole = isListOf(value.steps, 'type') && isListOf(value.calls, 'toolCallId');
  if (!isWhole) throw invalidOptions('This recording is damaged: it has no list of steps and calls.');
  return value as unknown as Recording;
}

function isListOf(list: unknown, field: string): boolean {
  return Array.isArray(list) && list.every((item) => isRecord(item) && typeof item[field] === 'string');
}
