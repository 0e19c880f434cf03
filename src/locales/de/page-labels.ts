import type { ComposerLabels } from '../../components/text/composer-labels.ts';
import type { DeliveryLabels } from '../../components/text/delivery-labels.ts';
import type { ErrorLabels } from '../../components/text/error-labels.ts';
import type { InboxLabels } from '../../components/text/inbox-labels.ts';
import type { TranscriptLabels } from '../../components/text/transcript-labels.ts';
import type { UploadLabels } from '../../components/text/upload-labels.ts';
import { errorLabels } from '../error-labels.ts';
import { formatBytes, plural } from '../format.ts';

export const pageLabels: ComposerLabels &
  DeliveryLabels &
  ErrorLabels &
  InboxLabels &
  TranscriptLabels &
  UploadLabels = {
  conversation: 'Gespräch',
  roles: { user: 'Sie', assistant: 'Agent' },
  thinking: 'Denkt nach …',
  answering: 'Der Agent antwortet.',
  reasoning: { streaming: 'Denkt nach …', done: 'Hat nachgedacht' },
  stopped: 'Angehalten',
  operationStatus: { running: 'läuft', done: 'fertig', cancelled: 'abgebrochen' },
  todos: 'Aufgaben',
  todoStatus: { pending: 'offen', in_progress: 'in Arbeit', completed: 'erledigt', cancelled: 'gestrichen' },
  providerActions: 'Schritte',
  providerSources: 'Quellen',
  providerArtifacts: 'Dateien',
  callProgress: (done, total) => (total === undefined ? `${done} erledigt` : `${done} von ${total}`),
  callFiles: 'Dateien',
  jumpToLatest: 'Zum Neuesten',
  showQuestion: 'Zeigen',
  turnFailed: 'Die Antwort ist fehlgeschlagen',
  errors: /* @__PURE__ */ errorLabels({
    answerFirst: 'Der Agent wartet zuerst auf Ihre Antwort.',
    uploadFailed: 'Eine Datei konnte nicht hochgeladen werden.',
    noFiles: 'Von hier aus lassen sich keine Dateien senden.',
    pageWrong: 'Mit dieser Seite stimmt etwas nicht.',
    closed: 'Dieses Gespräch ist geschlossen. Laden Sie die Seite neu, um weiterzumachen.',
    quotaReached: 'Das Kontingent ist aufgebraucht. Ein neuer Versuch hilft erst, wenn es erhöht ist.',
    serverFailed: 'Der Server konnte nicht antworten.',
    unexpected: 'Der Server hat etwas Unerwartetes geschickt.',
    brokeOff: 'Die Verbindung brach ab, bevor die Antwort fertig war.',
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    connectionLost: 'Die Verbindung zum Server ging verloren.',
    unfinished: 'Der Agent konnte seine Antwort nicht beenden.',
    tooManySteps: 'Der Agent hat zu viele Schritte gemacht und wurde angehalten.',
    restGone: 'Der Rest dieser Antwort ist nicht mehr verfügbar.',
    notSavedHere: 'Dieses Gespräch konnte in diesem Browser nicht gespeichert werden.',
    serverRestarted: 'Der Server wurde neu gestartet. Ihre Antworten bleiben erhalten.',
    interrupted: 'Die Antwort wurde unterbrochen.',
    otherWindow: 'Dieses Gespräch geht in einem anderen Fenster weiter.',
    notSaved: 'Der Server konnte dieses Gespräch nicht speichern.',
    modelBusy: 'Das Modell ist ausgelastet.',
  }),
  retryAfter: (seconds) =>
    plural('de', seconds, {
      one: 'Der Server bittet um {n} Sekunde Geduld.',
      other: 'Der Server bittet um {n} Sekunden Geduld.',
    }),
  tryAgain: 'Noch einmal',
  dismiss: 'Verwerfen',
  message: 'Nachricht',
  messagePlaceholder: 'Nachricht an den Agenten',
  send: 'Senden',
  stop: 'Anhalten',
  composerHints: {
    idle: 'Enter sendet, Umschalt+Enter beginnt eine neue Zeile.',
    streaming: 'Der Agent antwortet. Jetzt senden unterbricht ihn.',
    'awaiting-input': 'Der Agent wartet auf diese Seite. Bitte zuerst antworten oder ihn anhalten.',
    error: 'Die letzte Antwort ist fehlgeschlagen. Sie können eine andere Nachricht senden.',
  },
  sendingWithdraws: 'Der Agent wartet auf Ihre Antwort. Jetzt senden zieht seine Frage zurück.',
  sendingWaits: 'Der Agent wartet auf Ihre Antwort. Ihre Nachricht geht danach hinaus.',
  messageWaits: 'Ihre Nachricht geht hinaus, sobald die Frage beantwortet ist.',
  replying: ([question = 'der offenen Frage', ...others]) =>
    `Sendet ein Nein zu ${others.length > 0 ? `${others.length + 1} Fragen` : question}, mit diesen Worten.`,
  replyHasFiles: 'Dateien können nicht mit einer Antwort gehen. Bitte entfernen oder zuerst antworten.',
  attach: 'Dateien anhängen',
  attachments: 'Angehängte Dateien',
  dropFiles: 'Dateien zum Anhängen hier ablegen',
  removeFile: (name) => `${name} entfernen`,
  uploadAgain: (name) => `${name} noch einmal hochladen`,
  uploading: (name) => `${name} wird hochgeladen`,
  uploaded: (name) => `${name} ist angehängt.`,
  fileUploaded: 'hochgeladen',
  uploadFailed: (name, reason) => `${name} wurde nicht hochgeladen: ${reason}`,
  uploadsUnfinished: 'Dateien werden noch hochgeladen.',
  uploadsFailed: 'Eine Datei wurde nicht hochgeladen. Bitte wiederholen oder entfernen.',
  fileTooLarge: (name, maxBytes) => `${name} ist größer als ${formatBytes('de', maxBytes)}.`,
  fileNotAccepted: (name) => `Dateien wie ${name} werden hier nicht angenommen.`,
  tooManyFiles: (max) =>
    plural('de', max, {
      one: 'Höchstens {n} Datei lässt sich anhängen.',
      other: 'Höchstens {n} Dateien lassen sich anhängen.',
    }),
  chooseFiles: (max, onlyImages) => {
    if (onlyImages) return max === 1 ? 'Foto wählen oder hierher ziehen' : 'Fotos wählen oder hierher ziehen';
    return max === 1 ? 'Datei wählen oder hierher ziehen' : 'Dateien wählen oder hierher ziehen';
  },
  uploadsUnavailable: 'Von hier aus lassen sich keine Dateien senden.',

  delivery: {
    sending: 'wird gesendet …',
    'not-sent': 'noch nicht gesendet',
    refused: 'Ihre Antwort zählte nicht',
  },
  notSentYet: 'Geht von selbst hinaus. Bis dahin lässt sie sich zurücknehmen.',
  takeBack: 'Zurücknehmen',
  offline: 'Sie sind offline.',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? plural('de', answers, { one: '{n} Antwort', other: '{n} Antworten' }) : '',
      messages > 0 ? plural('de', messages, { one: '{n} Nachricht', other: '{n} Nachrichten' }) : '',
    ].filter(Boolean);
    if (waiting.length === 0) return 'Was Sie senden, geht hinaus, sobald Sie wieder online sind.';
    return `${waiting.join(' und ')} ${answers + messages === 1 ? 'geht' : 'gehen'} hinaus, sobald Sie wieder online sind.`;
  },
  backOnline: 'Wieder online.',
  allSent: 'Alles gesendet.',
  connectingAgain: 'Verbindung verloren. Neuer Versuch …',
  tryNow: 'Jetzt versuchen',
  serverRestarted: 'Der Server wurde neu gestartet.',
  answersKept: 'Ihre Antworten bleiben erhalten.',
  agentAsks: 'Der Agent fragt:',
  questionWaits: 'wartet auf Sie',
  waitsForOthers: (title, who = 'jemand anderen') =>
    `${title} wartet auf ${who}. Sie müssen nicht hier bleiben: Die Antwort kommt in dieses Gespräch.`,

  inbox: 'Wartet auf Sie',
  inboxLoading: 'Ihre Fragen werden geladen …',
  inboxEmpty: 'Keine Frage wartet auf Sie.',
  inboxFailed: 'Ihre Fragen konnten nicht geladen werden.',
  inboxMore: 'Weitere Fragen folgen, wenn diese beantwortet sind.',
  inboxConversation: (sessionId) => `Gespräch ${sessionId}`,
  inboxStartedBy: (name) => `für ${name}`,
  inboxAskedAt: (date) => `seit ${date}`,
  inboxNotShown: (toolName) =>
    `Die Frage von ${toolName} ließ sich hier nicht zeigen. Bitte in ihrem Gespräch beantworten.`,
  inboxWithdrawn: (title) => `„${title}“ hat jemand anderes beantwortet, oder die Zeit ist um.`,
  notices: 'Hinweise',
  callPlaces: {
    client: 'in Ihrem Browser',
    server: 'auf dem Server',
    provider: 'beim Anbieter',
    mcp: 'auf einem MCP-Server',
  },
  waitsFor: (who = 'jemand anderen') => `wartet auf ${who}`,
};
