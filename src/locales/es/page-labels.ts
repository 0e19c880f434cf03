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
  conversation: 'Conversación',
  roles: { user: 'Usted', assistant: 'Agente' },
  thinking: 'Pensando…',
  answering: 'El agente está respondiendo.',
  reasoning: { streaming: 'Pensando…', done: 'Lo ha pensado' },
  stopped: 'Detenido',
  operationStatus: { running: 'en curso', done: 'hecho', cancelled: 'cancelado' },
  todos: 'Tareas',
  todoStatus: { pending: 'por hacer', in_progress: 'en curso', completed: 'hecho', cancelled: 'descartado' },
  providerActions: 'Pasos',
  providerSources: 'Fuentes',
  providerArtifacts: 'Archivos',
  callProgress: (done, total) => {
    if (total !== undefined) return `${done} de ${total}`;
    return plural('es', done, { one: '{n} hecho', other: '{n} hechos' });
  },
  callFiles: 'Archivos',
  jumpToLatest: 'Ir a lo último',
  showQuestion: 'Mostrar',
  turnFailed: 'La respuesta ha fallado',
  errors: /* @__PURE__ */ errorLabels({
    answerFirst: 'El agente espera primero su respuesta.',
    uploadFailed: 'No se ha podido subir un archivo.',
    noFiles: 'Desde aquí no se pueden enviar archivos.',
    pageWrong: 'Algo va mal en esta página.',
    closed: 'Esta conversación está cerrada. Vuelva a cargar la página para seguir.',
    quotaReached:
      'Se ha alcanzado el límite de uso de este plan. Reintentarlo no ayudará hasta que se amplíe.',
    serverFailed: 'El servidor no ha podido responder.',
    unexpected: 'El servidor ha enviado algo inesperado.',
    brokeOff: 'La conexión se cortó antes de completar la respuesta.',
    unreachable: 'No se ha podido contactar con el servidor. Compruebe su conexión.',
    connectionLost: 'Se ha perdido la conexión con el servidor.',
    unfinished: 'El agente no ha podido terminar su respuesta.',
    tooManySteps: 'El agente ha dado demasiados pasos y se ha pausado.',
    restGone: 'El resto de esta respuesta ya no está disponible.',
    notSavedHere: 'No se ha podido guardar esta conversación en este navegador.',
    serverRestarted: 'El servidor se ha reiniciado. Sus respuestas se conservan.',
    interrupted: 'La respuesta se ha interrumpido.',
    otherWindow: 'Esta conversación sigue en otra ventana.',
    notSaved: 'El servidor no ha podido guardar esta conversación.',
    modelBusy: 'El modelo está saturado.',
  }),
  retryAfter: (seconds) =>
    plural('es', seconds, {
      one: 'El servidor le pide esperar {n} segundo.',
      other: 'El servidor le pide esperar {n} segundos.',
    }),
  tryAgain: 'Reintentar',
  dismiss: 'Descartar',
  message: 'Mensaje',
  messagePlaceholder: 'Mensaje al agente',
  send: 'Enviar',
  stop: 'Detener',
  composerHints: {
    idle: 'Intro envía, Mayús+Intro empieza una línea.',
    streaming: 'El agente está respondiendo. Si envía ahora, lo interrumpe.',
    'awaiting-input': 'El agente espera a esta página. Primero responda o deténgalo.',
    error: 'La última respuesta ha fallado. Puede enviar otro mensaje.',
  },
  sendingWithdraws: 'El agente espera su respuesta. Si envía ahora, se retira su pregunta.',
  sendingWaits: 'El agente espera su respuesta. Su mensaje saldrá después.',
  messageWaits: 'Su mensaje saldrá cuando se responda la pregunta.',
  replying: ([question = 'la pregunta abierta', ...others]) =>
    `Envía un no a ${others.length > 0 ? `${others.length + 1} preguntas` : question}, con estas palabras.`,
  replyHasFiles: 'Una respuesta no puede llevar archivos. Quítelos o responda primero la pregunta.',
  attach: 'Adjuntar archivos',
  attachments: 'Archivos adjuntos',
  dropFiles: 'Suelte archivos para adjuntarlos',
  removeFile: (name) => `Quitar ${name}`,
  uploadAgain: (name) => `Subir ${name} de nuevo`,
  uploading: (name) => `Subiendo ${name}`,
  uploaded: (name) => `${name} está adjunto.`,
  fileUploaded: 'subido',
  uploadFailed: (name, reason) => `No se ha subido ${name}: ${reason}`,
  uploadsUnfinished: 'Todavía se están subiendo archivos.',
  uploadsFailed: 'No se ha subido un archivo. Reinténtelo o quítelo.',
  fileTooLarge: (name, maxBytes) => `${name} supera ${formatBytes('es', maxBytes)}.`,
  fileNotAccepted: (name) => `${name} no es un tipo de archivo aceptado.`,
  tooManyFiles: (max) =>
    plural('es', max, {
      one: 'Se puede adjuntar {n} archivo como máximo.',
      other: 'Se pueden adjuntar {n} archivos como máximo.',
    }),
  chooseFiles: (max, onlyImages) => {
    if (onlyImages) return max === 1 ? 'Elija una foto o suéltela aquí' : 'Elija fotos o suéltelas aquí';
    return max === 1 ? 'Elija un archivo o suéltelo aquí' : 'Elija archivos o suéltelos aquí';
  },
  uploadsUnavailable: 'Desde aquí no se pueden enviar archivos.',

  delivery: { sending: 'enviando…', 'not-sent': 'aún no enviado', refused: 'su respuesta no ha contado' },
  notSentYet: 'Saldrá por sí sola. Hasta entonces puede retirarla.',
  takeBack: 'Retirar',
  offline: 'No tiene conexión.',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? plural('es', answers, { one: '{n} respuesta', other: '{n} respuestas' }) : '',
      messages > 0 ? plural('es', messages, { one: '{n} mensaje', other: '{n} mensajes' }) : '',
    ].filter(Boolean);
    if (waiting.length === 0) return 'Lo que envíe saldrá cuando vuelva la conexión.';
    return `${waiting.join(' y ')} ${answers + messages === 1 ? 'saldrá' : 'saldrán'} cuando vuelva la conexión.`;
  },
  backOnline: 'De nuevo en línea.',
  allSent: 'Todo enviado.',
  connectingAgain: 'Conexión perdida. Conectando de nuevo…',
  tryNow: 'Probar ahora',
  serverRestarted: 'El servidor se ha reiniciado.',
  answersKept: 'Sus respuestas se conservan.',
  agentAsks: 'El agente pregunta:',
  questionWaits: 'espera su respuesta',
  waitsForOthers: (title, who = 'otra persona') =>
    `${title}: a la espera de ${who}. No hace falta que se quede: la respuesta llegará a esta conversación.`,

  inbox: 'Espera su respuesta',
  inboxLoading: 'Cargando sus preguntas…',
  inboxEmpty: 'Ninguna pregunta espera su respuesta.',
  inboxFailed: 'No se han podido cargar sus preguntas.',
  inboxMore: 'Después de estas habrá más preguntas.',
  inboxConversation: (sessionId) => `Conversación ${sessionId}`,
  inboxStartedBy: (name) => `para ${name}`,
  inboxAskedAt: (date) => `desde ${date}`,
  inboxNotShown: (toolName) =>
    `No se ha podido mostrar aquí la pregunta de ${toolName}. Respóndala en su conversación.`,
  inboxWithdrawn: (title) => `Otra persona ha respondido «${title}», o se ha agotado el tiempo.`,
  notices: 'Avisos',
  callPlaces: {
    client: 'en su navegador',
    server: 'en el servidor',
    provider: 'en el proveedor',
    mcp: 'en un servidor MCP',
  },
  waitsFor: (who = 'otra persona') => `a la espera de ${who}`,
};
