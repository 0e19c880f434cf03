import type { DeliveryLabels } from '../../src/components/text/delivery-labels.ts';

export const germanDeliveryLabels: DeliveryLabels = {
  delivery: {
    sending: 'wird gesendet …',
    'not-sent': 'noch nicht gesendet',
    refused: 'deine Antwort zählte nicht',
  },
  notSentYet: 'Geht von selbst hinaus. Bis dahin lässt sie sich zurücknehmen.',
  takeBack: 'Zurücknehmen',
  offline: 'Du bist offline.',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? (answers === 1 ? '1 Antwort' : `${answers} Antworten`) : '',
      messages > 0 ? (messages === 1 ? '1 Nachricht' : `${messages} Nachrichten`) : '',
    ].filter(Boolean);
    if (waiting.length === 0) return 'Was du sendest, geht hinaus, sobald du wieder online bist.';
    return `${waiting.join(' und ')} ${answers + messages === 1 ? 'geht' : 'gehen'} hinaus, sobald du wieder online bist.`;
  },
  backOnline: 'Wieder online.',
  allSent: 'Alles gesendet.',
  connectingAgain: 'Verbindung verloren. Neuer Versuch …',
  tryNow: 'Jetzt versuchen',
  serverRestarted: 'Der Server wurde neu gestartet.',
  answersKept: 'Deine Antworten bleiben erhalten.',
  agentAsks: 'Der Agent fragt:',
  opensOnPause: 'öffnet sich, wenn du innehältst',
  waitsForYou: 'wartet auf dich',
  open: 'Öffnen',
  waitsForOthers: (title, who = 'jemand anderen') =>
    `${title} wartet auf ${who}. Du musst nicht hier bleiben: Die Antwort kommt in dieses Gespräch.`,
};
