import type { ApprovalLabels } from '../../components/text/approval-labels.ts';
import type { ArgumentLabels } from '../../components/text/argument-labels.ts';
import type { ElicitationLabels } from '../../components/text/elicitation-labels.ts';
import type { PolicyLabels } from '../../components/text/policy-labels.ts';
import type { QuestionLabels } from '../../components/text/question-labels.ts';
import { formatBytes, formatClock, joinNames, plural } from '../format.ts';

export const questionLabels: ApprovalLabels &
  ArgumentLabels &
  ElicitationLabels &
  PolicyLabels &
  QuestionLabels = {
  arguments: 'Was der Agent tun möchte',
  callArguments: 'Angaben',
  result: 'Ergebnis',
  yes: 'Ja',
  no: 'Nein',
  nothing: 'nichts',
  hidden: 'verborgen',
  unreadable: 'lässt sich nicht zeigen',
  moreInside: (count) => `${count} weitere darin`,
  showMore: (count) => `${count} weitere zeigen`,
  showAll: (count) => plural('de', count, { other: 'Alle {n} Zeichen zeigen' }),
  showLess: 'Weniger zeigen',
  change: 'Ändern',
  undo: 'Rückgängig',
  changeArgument: (title) => `${title} ändern`,
  undoArgument: (title) => `Änderung von ${title} rückgängig machen`,
  changedByYou: 'Von Ihnen geändert',
  before: 'Vorher:',
  after: 'Jetzt:',
  changedTo: (title, value) => `${title} ist jetzt ${value}.`,
  saveChanges: 'Übernehmen',
  wasValue: (value) => `Bisher ${value}.`,
  valueRange: (from, to) => `Von ${from} bis ${to}.`,
  applyFirst: 'Bitte zuerst die Änderung übernehmen oder verwerfen.',
  editUnavailable:
    'Das Feld konnte nicht geladen werden. Entscheiden Sie ohne Änderungen, oder laden Sie die Seite neu.',

  assistant: 'Der Assistent',
  asker: (agent, site) => (site === '' ? agent : `${agent} auf ${site}`),
  asksYou: (asker) => `${asker} fragt Sie`,
  goesOnSoon: (agent) => `${agent} macht bald ohne Antwort weiter`,
  askedByAgent: (origin) => `für seinen Agenten „${origin}“`,
  runsHere: 'läuft in diesem Browser',
  runsThrough: (server) => `über ${server}, einen MCP-Server`,
  queuePosition: (index, total) => `${index} von ${total}`,
  countdown,
  answerWithin: (seconds) => `Noch ${countdown(seconds)}`,
  timeLeft: (seconds) =>
    seconds < 60
      ? plural('de', seconds, { one: 'Noch {n} Sekunde', other: 'Noch {n} Sekunden' })
      : plural('de', Math.round(seconds / 60), { one: 'Noch {n} Minute', other: 'Noch {n} Minuten' }),
  caution: 'Bitte prüfen',
  destructive: 'Lässt sich nicht rückgängig machen',
  inAgentsWords: 'In den Worten des Agenten',
  agentSays: 'Der Agent sagt',
  yesWithValue: (verb, value) => `${value} ${verb.charAt(0).toLowerCase()}${verb.slice(1)}`,
  readySoon: 'Gleich bereit',
  detailsBelow: (count) =>
    plural('de', count, { one: 'Darunter {n} weitere Angabe', other: 'Darunter {n} weitere Angaben' }),
  detailsAbove: (count) =>
    plural('de', count, { one: 'Darüber {n} weitere Angabe', other: 'Darüber {n} weitere Angaben' }),
  addNote: 'Notiz hinzufügen',
  note: 'Notiz, der Agent liest sie',
  unsentNote: 'Ihre Notiz, nicht gesendet',
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

  allow: 'Erlauben',
  doNotAllow: 'Nicht erlauben',
  allowAll: (count) => `Alle ${count} erlauben`,
  coversConversation: 'Wenn Sie das erlauben, darf es in diesem Gespräch ohne Rückfrage wieder laufen.',
  remember: 'Wie oft gefragt wird',
  rememberOnce: 'Einmal erlauben',
  rememberAlways: 'Immer erlauben …',
  rememberSentence:
    'Nicht mehr fragen für {calls} in {place}. Unter „Gemerkte Entscheidungen“ nehmen Sie das zurück.',
  rememberCalls: 'Für welche Aufrufe',
  rememberSame: (names) =>
    names.length === 0 || names.length > 2
      ? 'genau diese Angaben'
      : `den gleichen Wert von ${joinNames('de', names)}`,
  rememberEvery: 'jeden Aufruf dieser Art',
  rememberFor: 'Wo',
  rememberScopes: {
    conversation: 'diesem Gespräch',
    browser: 'diesem Browser',
    everywhere: 'all Ihren Gesprächen',
  },
  rememberHint: 'Ab jetzt ist das ohne Rückfrage erlaubt. Sie können es später ändern.',
  rememberedChoices: 'Gemerkte Entscheidungen',
  noRememberedChoices: 'Noch ist nichts gemerkt.',
  rememberedDecisions: { allowed: 'Erlaubt immer', declined: 'Lehnt immer ab' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'Dieses Gespräch' : 'Dieser Browser';
    const names = joinNames('de', sameArguments);
    return `${where}, ${names ? `nur bei gleichem Wert von ${names}` : 'jeder Aufruf'}, seit ${date}`;
  },
  rememberedArguments: 'Nur für diese Angaben',
  revoke: 'Vergessen',
  revokeChoice: (toolName) => `Entscheidung für ${toolName} vergessen`,
  revokeAll: 'Alle vergessen',
  revoked: (toolName) => `${toolName} fragt wieder.`,
  auditTrail: 'Verlauf der Antworten',
  noAuditEntries: 'Noch keine Antworten.',
  answeredBy: {
    person: 'von Ihnen',
    remembered: 'durch eine gemerkte Entscheidung',
    automatic: 'von selbst',
    nobody: 'nicht beantwortet',
  },
  byPerson: (name) => `von ${name}`,
  receipt: 'Beleg',
  allowedBy: { person: 'von Ihnen erlaubt', remembered: 'durch eine frühere Entscheidung erlaubt' },
  inOtherTab: 'in einem anderen Tab',
  auditMore: (count) => `${count} weitere zeigen`,
  downloadCsv: 'Als CSV herunterladen',
  downloadJson: 'Als JSON herunterladen',

  serverAsks: (server) => `„${server}“ fragt`,
  pageAddress: 'Adresse der Seite',
  pageHint: 'Sie öffnet sich in einem neuen Tab. Was Sie dort eingeben, ist von hier aus nicht zu sehen.',
  openPage: 'Seite öffnen',
  openPageAgain: 'Noch einmal öffnen',
  pageOpened: 'Die Seite ist in einem neuen Tab offen. Kommen Sie zurück, wenn Sie dort fertig sind.',
  pageDone: 'Fertig',
  urlWarnings: {
    credentials:
      'Die Adresse enthält einen Benutzernamen oder ein Passwort. Die Seite ist nur, was fett gedruckt ist.',
    punycode:
      'Der Name der Seite hat Buchstaben außerhalb von a bis z. Er kann einen bekannten Namen nachahmen.',
    port: 'Die Adresse nennt einen eigenen Port. Bekannte Seiten tun das selten.',
  },
  urlBlockReasons: {
    unreadable: 'Das ist keine vollständige Adresse und lässt sich nicht öffnen.',
    scheme: 'Nur Adressen, die mit https:// beginnen, lassen sich öffnen.',
    'too-long': 'Diese Adresse ist zu lang, um sie zu prüfen. Sie lässt sich nicht öffnen.',
  },
  asksForSecret:
    'Hier scheint nach etwas Geheimem gefragt zu werden. Der Server, der fragt, kann die Antwort lesen: bitte keine Passwörter, Schlüssel oder Kartennummern.',
  file: 'Datei',
  fileSize: (bytes) => formatBytes('de', bytes),
};

function countdown(seconds: number): string {
  if (seconds < 86_400) return formatClock(seconds);
  return plural('de', Math.floor(seconds / 86_400), { one: '{n} Tag', other: '{n} Tage' });
}
