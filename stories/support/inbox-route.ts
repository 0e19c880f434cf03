import type { PendingToolCall } from '../../src/core/protocol/events.ts';
import type { OpenCall } from '../../src/core/protocol/open-calls.ts';
import type { PendingInboxOptions } from '../../src/react/use-pending-inbox.ts';

const MINUTE = 60_000;

/** An open call that was asked some minutes ago. */
export function createOpenCall(
  sessionId: string,
  call: Omit<PendingToolCall, 'toolCallId'>,
  more: Partial<Pick<OpenCall, 'startedBy'>> & { minutesAgo?: number } = {},
): OpenCall {
  const { minutesAgo = 5, ...rest } = more;
  return {
    sessionId,
    executionId: `execution-${sessionId}`,
    askedAt: Date.now() - minutesAgo * MINUTE,
    call: { toolCallId: `call-${sessionId}`, ...call },
    ...rest,
  };
}

/** What the conversations of the stories are called. */
export const CONVERSATIONS: Readonly<Record<string, string>> = {
  refund: 'Order 7 arrived broken',
  delivery: 'Delivery to Lisbon',
  survey: 'Office move',
};

/** Three questions of three conversations, one of each kind. */
export function createExampleCalls(): readonly OpenCall[] {
  return [
    createOpenCall(
      'refund',
      {
        toolName: 'refund_order',
        args: { order: '7', amount: '€ 80.00', to: 'Visa •• 4242' },
        executedBy: 'server',
        deadline: Date.now() + 9 * MINUTE,
        question: {
          ui: 'confirm',
          title: 'Refund order 7',
          description: 'The money leaves at once and cannot be called back.',
          severity: 'caution',
          confirmLabel: 'Pay the refund',
        },
      },
      { minutesAgo: 42, startedBy: { id: 'grace', name: 'Grace' } },
    ),
    createOpenCall(
      'delivery',
      {
        toolName: 'ask_address',
        args: {},
        question: {
          ui: 'form',
          title: 'Where does the parcel go?',
          outputSchema: {
            type: 'object',
            properties: {
              street: { type: 'string', title: 'Street' },
              floor: { type: 'integer', title: 'Floor', minimum: 0 },
            },
            required: ['street'],
          },
        },
      },
      { minutesAgo: 12, startedBy: { id: 'linus', name: 'Linus' } },
    ),
    createOpenCall('survey', {
      toolName: 'pick_desk',
      args: { options: ['At the window', 'Near the kitchen', 'In the quiet room'] },
      question: { ui: 'choice', title: 'Which desk would you like?' },
    }),
  ];
}

export interface InboxRoute {
  /** Options of `usePendingInbox` that reach this route. */
  readonly options: PendingInboxOptions;
  /** The bodies of the answers so far. */
  readonly answers: unknown[];
}

/** A route of an inbox that lists some calls until they are answered. `respond` may take the place of a response. */
export function createInboxRoute(
  listed: readonly OpenCall[],
  respond: (method: string) => Response | undefined | Promise<Response> = () => undefined,
): InboxRoute {
  const answers: { sessionId: string }[] = [];
  const route: InboxRoute = {
    answers,
    options: {
      url: '/inbox',
      live: false,
      async fetch(_, { method = 'GET', body } = {}) {
        const instead = await respond(method);
        if (instead !== undefined) return instead;
        if (method === 'POST') {
          answers.push(JSON.parse(String(body)));
          return Response.json({ status: 'accepted' });
        }
        const isOpen = ({ sessionId }: OpenCall) => !answers.some((answer) => answer.sessionId === sessionId);
        return Response.json({ calls: listed.filter(isOpen) });
      },
    },
  };
  return route;
}
