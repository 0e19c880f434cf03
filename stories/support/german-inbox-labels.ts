import type { InboxLabels } from '../../src/components/text/inbox-labels.ts';

export const germanInboxLabels: InboxLabels = {
  inbox: 'Wartet auf dich',
  inboxLoading: 'Deine Fragen werden geladen …',
  inboxEmpty: 'Keine Frage wartet auf dich.',
  inboxFailed: 'Deine Fragen konnten nicht geladen werden.',
  inboxMore: 'Weitere Fragen folgen, wenn diese beantwortet sind.',
  inboxConversation: (sessionId) => `Gespräch ${sessionId}`,
  inboxStartedBy: (name) => `für ${name}`,
  inboxAskedAt: (date) => `seit ${date}`,
  inboxNotShown: (toolName) =>
    `Die Frage von ${toolName} konnte hier nicht gezeigt werden. Beantworte sie in ihrem Gespräch.`,
  inboxWithdrawn: (title) => `„${title}“ hat jemand anders beantwortet, oder die Zeit ist um.`,
};
