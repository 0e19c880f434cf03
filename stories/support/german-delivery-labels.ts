import type { DeliveryLabels } from '../../src/components/text/delivery-labels.ts';

export const germanDeliveryLabels: DeliveryLabels = {
  delivery: {
    sending: 'wird gesendet …',
    'not-sent': 'noch nicht gesendet',
    refused: 'Ihre Antwort zählte nicht',
  },
  notSentYet: 'Geht von selbst hinaus. Bis dahin lässt sie sich zurücknehmen.',
  takeBack: 'Zurücknehmen',
  offline: 'Du bist offline.',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? (answers === 1 ? '1 Antwort' : `${answers} Antworten`) : '',
      messages > 0 ? (messages === 1 ? '1 Nachricht' : `${messages} Nachrichten`) : '',
    ].filter(Boolean);
    if (waiting.length === 0) return 'Was Sie senden, geht hinaus, sobald Sie wieder online sind.';
    return `${waiting.join(' und ')} ${answers + messages === 1 ? 'geht' : 'gehen'} hinaus, sobald Sie wieder online sind.`;
  },
  backOnline: 'Wieder online.',
  allSent: 'Alles gesendet.',
  connectingAgain: 'Verbindung verloren. Neuer Versuch …',
  tryNow: 'Jetzt versuchen',
  serverRestarted: 'Der Server wurde neu gestartet.',
  answersKept: 'Deine Antworten bleiben erhalten.',
  agentAsks: 'Der Agent fragt:',
  opensOnPause: 'öffnet sich, wenn Sie innehalten',
  questionWaits: 'wartet auf Sie',
  open: 'Öffnen',
  waitsForOthers: (title, who = 'jemand anderen') =>
    `${title} wartet auf ${who}. Du musst nicht hier bleiben: Die Antwort kommt in dieses Gespräch.`,
};
