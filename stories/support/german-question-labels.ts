import type { QuestionLabels } from '../../src/components/text/question-labels.ts';

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export const germanQuestionLabels: QuestionLabels = {
  assistant: 'Der Assistent',
  asker: (agent, site) => (site === '' ? agent : `${agent} auf ${site}`),
  asksYou: (asker) => `${asker} fragt dich`,
  goesOnSoon: (agent) => `${agent} macht bald ohne Antwort weiter`,
  askedByAgent: (origin) => `für seinen Agenten „${origin}“`,
  runsHere: 'läuft in diesem Browser',
  runsThrough: (server) => `über ${server}, einen MCP-Server`,
  queuePosition: (index, total) => `${index} von ${total}`,
  countdown: clock,
  answerWithin: (seconds) => `Noch ${clock(seconds)}`,
  timeLeft: (seconds) => `Noch ${count(seconds, 'Sekunde', 'Sekunden')}`,
  caution: 'Bitte prüfen',
  destructive: 'Lässt sich nicht rückgängig machen',
  inAgentsWords: 'In den Worten des Agenten',
  agentSays: 'Der Agent sagt',
  yesWithValue: (verb, value) => `${value} ${verb.charAt(0).toLowerCase()}${verb.slice(1)}`,
  readySoon: 'Gleich bereit',
  detailsBelow: (number) => `Darunter ${count(number, 'weitere Angabe', 'weitere Angaben')}`,
  detailsAbove: (number) => `Darüber ${count(number, 'weitere Angabe', 'weitere Angaben')}`,
  addNote: 'Notiz hinzufügen',
  note: 'Notiz, der Agent liest sie',
  unsentNote: 'Deine Notiz, nicht gesendet',
  whyNot: 'Warum nicht?',
  whyNotHint: 'Der Agent liest das.',
  whyNotMissing: 'Bitte zuerst den Grund angeben.',
  typeToConfirm: (word) => `Zum Erlauben ${word} eingeben`,
  typeToConfirmMissing: (word) => `Zuerst genau ${word} eingeben.`,
  decidedJustNow: {
    allowed: (name) => `${name} hat das gerade erlaubt.`,
    declined: (name) => `${name} hat das gerade nicht erlaubt.`,
    answered: (name) => `${name} hat das gerade beantwortet.`,
  },
};
