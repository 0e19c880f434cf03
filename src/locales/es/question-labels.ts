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
  arguments: 'Lo que el agente quiere hacer',
  callArguments: 'Datos',
  result: 'Resultado',
  yes: 'Sí',
  no: 'No',
  nothing: 'nada',
  hidden: 'oculto',
  unreadable: 'no se puede mostrar',
  moreInside: (count) => `${count} más dentro`,
  showMore: (count) => `Mostrar ${count} más`,
  showAll: (count) =>
    plural('es', count, { one: 'Mostrar el único carácter', other: 'Mostrar los {n} caracteres' }),
  showLess: 'Mostrar menos',
  change: 'Cambiar',
  undo: 'Deshacer',
  changeArgument: (title) => `Cambiar ${title}`,
  undoArgument: (title) => `Deshacer el cambio de ${title}`,
  changedByYou: 'Cambiado por usted',
  before: 'Antes:',
  after: 'Ahora:',
  changedTo: (title, value) => `${title} es ahora ${value}.`,
  saveChanges: 'Aplicar',
  wasValue: (value) => `Antes: ${value}.`,
  valueRange: (from, to) => `De ${from} a ${to}.`,
  applyFirst: 'Primero aplique o cancele el cambio.',
  editUnavailable: 'No se ha podido cargar el campo. Decida sin cambios o vuelva a cargar la página.',

  assistant: 'El asistente',
  asker: (agent, site) => (site === '' ? agent : `${agent} en ${site}`),
  asksYou: (asker) => `${asker} le pregunta`,
  goesOnSoon: (agent) => `${agent} seguirá pronto sin respuesta`,
  askedByAgent: (origin) => `para su agente «${origin}»`,
  runsHere: 'se ejecuta en este navegador',
  runsThrough: (server) => `a través de ${server}, un servidor MCP`,
  queuePosition: (index, total) => `${index} de ${total}`,
  countdown,
  answerWithin: (seconds) => `Quedan ${countdown(seconds)} para responder`,
  timeLeft: (seconds) =>
    seconds < 60
      ? plural('es', seconds, { one: 'Queda {n} segundo', other: 'Quedan {n} segundos' })
      : plural('es', Math.round(seconds / 60), { one: 'Queda {n} minuto', other: 'Quedan {n} minutos' }),
  caution: 'Compruébelo',
  destructive: 'No se puede deshacer',
  inAgentsWords: 'En palabras del agente',
  agentSays: 'El agente dice',
  yesWithValue: (verb, value) => `${verb} ${value}`,
  readySoon: 'Listo en un momento',
  detailsBelow: (count) => plural('es', count, { one: '{n} dato más abajo', other: '{n} datos más abajo' }),
  detailsAbove: (count) => plural('es', count, { one: '{n} dato más arriba', other: '{n} datos más arriba' }),
  addNote: 'Añadir nota',
  note: 'Nota, el agente la lee',
  unsentNote: 'Su nota, no enviada',
  whyNot: '¿Por qué no?',
  whyNotHint: 'El agente lo lee.',
  whyNotMissing: 'Primero indique el motivo.',
  typeToConfirm: (word) => `Escriba ${word} para permitirlo`,
  typeToConfirmMissing: (word) => `Primero escriba ${word}, tal como se muestra.`,
  decidedJustNow: {
    allowed: (name) => `${name} acaba de permitirlo.`,
    declined: (name) => `${name} acaba de rechazarlo.`,
    answered: (name) => `${name} acaba de responder.`,
  },

  allow: 'Permitir',
  doNotAllow: 'Rechazar',
  allowAll: (count) => plural('es', count, { one: 'Permitir', other: 'Permitir los {n}' }),
  coversConversation: 'Si lo permite, podrá repetirse en esta conversación sin preguntar.',
  remember: 'Cuándo preguntar',
  rememberOnce: 'Permitir una vez',
  rememberAlways: 'Permitir siempre…',
  rememberSentence:
    'No volver a preguntar por {calls} en {place}. Puede retirarlo en «Decisiones recordadas».',
  rememberCalls: 'Para qué llamadas',
  rememberSame: (names) =>
    names.length === 0 || names.length > 2
      ? 'exactamente estos datos'
      : `el mismo valor de ${joinNames('es', names)}`,
  rememberEvery: 'todas las llamadas como esta',
  rememberFor: 'Dónde',
  rememberScopes: {
    conversation: 'esta conversación',
    browser: 'este navegador',
    everywhere: 'todas sus conversaciones',
  },
  rememberHint: 'Desde ahora se permite sin preguntar. Puede cambiarlo más tarde.',
  rememberedChoices: 'Decisiones recordadas',
  noRememberedChoices: 'Aún no se recuerda nada.',
  rememberedDecisions: { allowed: 'Permite siempre', declined: 'Rechaza siempre' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'Esta conversación' : 'Este navegador';
    const names = joinNames('es', sameArguments);
    return `${where}, ${names ? `solo con el mismo valor de ${names}` : 'todas las llamadas'}, desde ${date}`;
  },
  rememberedArguments: 'Solo para estos datos',
  revoke: 'Olvidar',
  revokeChoice: (toolName) => `Olvidar la decisión sobre ${toolName}`,
  revokeAll: 'Olvidar todo',
  revoked: (toolName) => `${toolName} volverá a preguntar.`,
  auditTrail: 'Historial de respuestas',
  noAuditEntries: 'Aún no hay respuestas.',
  answeredBy: {
    person: 'por usted',
    remembered: 'por una decisión recordada',
    automatic: 'automáticamente',
    nobody: 'sin respuesta',
  },
  byPerson: (name) => `por ${name}`,
  receipt: 'Recibo',
  allowedBy: { person: 'permitido por usted', remembered: 'permitido por una decisión anterior' },
  inOtherTab: 'en otra pestaña',
  auditMore: (count) => `Mostrar ${count} más`,
  downloadCsv: 'Descargar CSV',
  downloadJson: 'Descargar JSON',

  serverAsks: (server) => `«${server}» pregunta`,
  pageAddress: 'Dirección de la página',
  pageHint: 'Se abre en otra pestaña. Esta aplicación no ve lo que escriba allí.',
  openPage: 'Abrir página',
  openPageAgain: 'Abrir de nuevo',
  pageOpened: 'La página está abierta en otra pestaña. Vuelva cuando haya terminado.',
  pageDone: 'Listo',
  urlWarnings: {
    credentials:
      'La dirección contiene un nombre de usuario o una contraseña. El sitio es solo la parte en negrita.',
    punycode: 'El nombre del sitio tiene letras fuera de la a a la z. Puede imitar un nombre que conoce.',
    port: 'La dirección tiene un número de puerto, algo raro en sitios conocidos.',
  },
  urlBlockReasons: {
    unreadable: 'No es una dirección completa, así que no se puede abrir.',
    scheme: 'Solo se pueden abrir direcciones que empiezan por https://.',
    'too-long': 'Esta dirección es demasiado larga para revisarla, así que no se puede abrir.',
  },
  asksForSecret:
    'Parece que se pide algo secreto. El servidor que pregunta puede leer su respuesta: no escriba contraseñas, claves ni números de tarjeta.',
  file: 'Archivo',
  fileSize: (bytes) => formatBytes('es', bytes),
};

function countdown(seconds: number): string {
  if (seconds < 86_400) return formatClock(seconds);
  return plural('es', Math.floor(seconds / 86_400), { one: '{n} día', other: '{n} días' });
}
