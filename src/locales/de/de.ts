import { plural } from '../format.ts';
import type { LocaleLabels } from '../locale-labels.ts';
import { formLabels } from './form-labels.ts';
import { pageLabels } from './page-labels.ts';
import { questionLabels } from './question-labels.ts';
import { runCodeLabels } from './run-code-labels.ts';

/** Every text of the kit in German, with the formal "Sie". */
export const de: LocaleLabels = {
  ...questionLabels,
  ...formLabels,
  ...pageLabels,
  locale: 'de',
  runCode: runCodeLabels,
  attentionTitle: (count, agent, site) => `(${count}) ${agent} fragt – ${site}`,
  attentionNotification: (agent) => `${agent} fragt`,
  attentionBody: (_, site) => `Auf ${site} wartet eine Frage auf Sie.`,
  attentionAgent: 'Der Agent',
  confirm: 'Bestätigen',
  decline: 'Ablehnen',
  back: 'Zurück',
  cancel: 'Abbrechen',
  close: 'Schließen',
  unsent: 'Noch wurde nichts gesendet. Ohne Antwort schließen?',
  stay: 'Weiter antworten',
  leave: 'Ohne Antwort schließen',
  answerLater: 'Später antworten',
  askedWhileTyping: (title) => `Der Agent fragt: ${title}`,
  opensWhenYouPause: 'öffnet sich, wenn Sie innehalten',
  waitsForYou: (title) => `${title} wartet auf Sie`,
  openQuestion: 'Öffnen',
  kindMissing: 'Diese Seite kann die Frage nicht zeigen. Sie können sie ablehnen.',
  submit: 'Absenden',
  doNotAnswer: 'Nicht antworten',
  submitting: 'Wird gesendet …',
  rerunTitle: (toolName) => `„${toolName}“ noch einmal ausführen?`,
  rerunMessage: () => 'Es lief noch, als die Seite verlassen wurde.',
  rerun: 'Noch einmal ausführen',
  doNotRerun: 'Nicht ausführen',
  confirmAll: (count) => `Alle ${count} bestätigen`,
  otherCalls: (count) =>
    plural('de', count, {
      one: '{n} weitere Anfrage dieser Art zeigen',
      other: '{n} weitere Anfragen dieser Art zeigen',
    }),
  callStatus: {
    waiting: 'wartet auf Sie',
    pending: 'wird vorbereitet',
    running: 'läuft',
    done: 'fertig',
    error: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
    submitted: 'fertig',
    confirmed: 'bestätigt',
    declined: 'abgelehnt',
    'timed-out': 'Zeit abgelaufen',
    aborted: 'angehalten',
    expired: 'verfallen',
    superseded: 'nicht mehr nötig',
    failed: 'fehlgeschlagen',
  },
  choseInCall: (choice) => `Sie haben ${choice} gewählt`,
  declinedBecause: (reason) => `abgelehnt: ${reason}`,
  saidBy: {
    allowed: (name) => `erlaubt von ${name}`,
    declined: (name) => `abgelehnt von ${name}`,
    answered: (name) => `beantwortet von ${name}`,
  },
  details: 'Einzelheiten',
  askedBy: (toolName) => `Angefragt vom Werkzeug ${toolName}`,
  none: 'Keine Angabe',
  moreItems: (count) => `und ${count} weitere`,
  alreadySettled: 'Das ist schon beantwortet, oder der Agent wurde angehalten. Es wurde nichts gesendet.',
  expired:
    'Der Agent wartet nicht mehr: Er wurde angehalten, oder die Zeit war um. Es wurde nichts gesendet.',
  notAllowed: 'Das muss jemand anderes beantworten. Es wurde nichts gesendet.',
  withdrawn: (title) => `„${title}“ braucht keine Antwort mehr.`,
  notSerializable: 'Diese Antwort ließ sich nicht senden:',
  answerRefused: 'Diese Antwort wurde nicht angenommen:',
  pendingTitle: (count) =>
    plural('de', count, { one: '{n} Frage wartet auf Sie', other: '{n} Fragen warten auf Sie' }),
  outcomes: {
    submitted: 'Beantwortet',
    confirmed: 'Bestätigt',
    allowed: 'Erlaubt',
    chose: (choice) => `Sie haben ${choice} gewählt`,
    declined: 'Abgelehnt',
    cancelled: 'Abgebrochen',
    expired: 'Nicht mehr nötig',
  },
  dialogFailed: (toolName) => `Die Frage von ${toolName} ließ sich nicht anzeigen. Der Agent weiß es.`,
  chooseOne: 'Eine Möglichkeit wählen',
  chooseSeveral: (min, max) => {
    if (max === undefined) return min > 1 ? `Mindestens ${min} wählen` : 'Alles Zutreffende wählen';
    if (min === max) return `${min} wählen`;
    return min > 0 ? `${min} bis ${max} wählen` : `Bis zu ${max} wählen`;
  },
  choiceMissing: 'Bitte eine Möglichkeit wählen.',
  choiceTooFew: (min) => `Bitte mindestens ${min} wählen.`,
  choiceTooMany: (max) => `Bitte höchstens ${max} wählen.`,
  search: 'Möglichkeiten durchsuchen',
  searchResults: (count) => plural('de', count, { other: '{n} Treffer' }),
  searchEmpty: 'Nichts gefunden.',
  noOptions: 'Der Agent hat nichts zur Auswahl geschickt.',
  notSent: (reason) => `Nicht gesendet: ${reason}`,
  unknownError: 'unbekannter Fehler',
};
