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
  arguments: 'Ce que l’agent veut faire',
  callArguments: 'Données',
  result: 'Résultat',
  yes: 'Oui',
  no: 'Non',
  nothing: 'rien',
  hidden: 'masqué',
  unreadable: 'ne peut pas être affiché',
  moreInside: (count) =>
    plural('fr', count, { one: '{n} autre à l’intérieur', other: '{n} autres à l’intérieur' }),
  showMore: (count) => plural('fr', count, { one: 'Afficher {n} autre', other: 'Afficher {n} autres' }),
  showAll: (count) =>
    plural('fr', count, { one: 'Afficher le seul caractère', other: 'Afficher les {n} caractères' }),
  showLess: 'Afficher moins',
  change: 'Modifier',
  undo: 'Rétablir',
  changeArgument: (title) => `Modifier ${title}`,
  undoArgument: (title) => `Annuler la modification de ${title}`,
  changedByYou: 'Modifié par vous',
  before: 'Avant :',
  after: 'Maintenant :',
  changedTo: (title, value) => `${title} vaut maintenant ${value}.`,
  saveChanges: 'Appliquer',
  wasValue: (value) => `Valeur précédente : ${value}.`,
  valueRange: (from, to) => `De ${from} à ${to}.`,
  applyFirst: 'Appliquez ou annulez d’abord la modification.',
  editUnavailable: 'Le champ n’a pas pu être chargé. Décidez sans modification, ou rechargez la page.',

  assistant: 'L’assistant',
  asker: (agent, site) => (site === '' ? agent : `${agent} sur ${site}`),
  asksYou: (asker) => `${asker} vous demande`,
  goesOnSoon: (agent) => `${agent} va bientôt continuer sans réponse`,
  askedByAgent: (origin) => `pour son agent « ${origin} »`,
  runsHere: 's’exécute dans ce navigateur',
  runsThrough: (server) => `par ${server}, un serveur MCP`,
  queuePosition: (index, total) => `${index} sur ${total}`,
  countdown,
  answerWithin: (seconds) => `Encore ${countdown(seconds)} pour répondre`,
  timeLeft: (seconds) =>
    seconds < 60
      ? plural('fr', seconds, { one: 'Encore {n} seconde', other: 'Encore {n} secondes' })
      : plural('fr', Math.round(seconds / 60), { one: 'Encore {n} minute', other: 'Encore {n} minutes' }),
  caution: 'À vérifier',
  destructive: 'Irréversible',
  inAgentsWords: 'Dans les mots de l’agent',
  agentSays: 'L’agent dit',
  yesWithValue: (verb, value) => `${verb} ${value}`,
  readySoon: 'Prêt dans un instant',
  detailsBelow: (count) =>
    plural('fr', count, { one: '{n} autre détail plus bas', other: '{n} autres détails plus bas' }),
  detailsAbove: (count) =>
    plural('fr', count, { one: '{n} autre détail plus haut', other: '{n} autres détails plus haut' }),
  addNote: 'Ajouter une note',
  note: 'Note, lue par l’agent',
  unsentNote: 'Votre note, non envoyée',
  whyNot: 'Pourquoi pas ?',
  whyNotHint: 'L’agent lit ce texte.',
  whyNotMissing: 'Indiquez d’abord la raison.',
  typeToConfirm: (word) => `Saisissez ${word} pour autoriser`,
  typeToConfirmMissing: (word) => `Saisissez d’abord ${word}, exactement ainsi.`,
  decidedJustNow: {
    allowed: (name) => `${name} vient d’autoriser cela.`,
    declined: (name) => `${name} vient de refuser cela.`,
    answered: (name) => `${name} vient de répondre.`,
  },

  allow: 'Autoriser',
  doNotAllow: 'Refuser',
  allowAll: (count) => plural('fr', count, { one: 'Autoriser', other: 'Autoriser les {n}' }),
  coversConversation: 'Si vous l’autorisez, cela pourra se répéter dans cette conversation sans demande.',
  remember: 'Quand demander',
  rememberOnce: 'Autoriser une fois',
  rememberAlways: 'Toujours autoriser…',
  rememberSentence:
    'Ne plus demander pour {calls} dans {place}. Vous pouvez revenir sur ce choix dans « Choix mémorisés ».',
  rememberCalls: 'Pour quels appels',
  rememberSame: (names) =>
    names.length === 0 || names.length > 2
      ? 'exactement ces données'
      : `la même valeur de ${joinNames('fr', names)}`,
  rememberEvery: 'tout appel de ce type',
  rememberFor: 'Où',
  rememberScopes: {
    conversation: 'cette conversation',
    browser: 'ce navigateur',
    everywhere: 'toutes vos conversations',
  },
  rememberHint: 'C’est désormais autorisé sans demande. Vous pourrez le modifier plus tard.',
  rememberedChoices: 'Choix mémorisés',
  noRememberedChoices: 'Rien n’est encore mémorisé.',
  rememberedDecisions: { allowed: 'Toujours autorisé', declined: 'Toujours refusé' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'Cette conversation' : 'Ce navigateur';
    const names = joinNames('fr', sameArguments);
    return `${where}, ${names ? `seulement pour la même valeur de ${names}` : 'tout appel'}, depuis le ${date}`;
  },
  rememberedArguments: 'Seulement pour ces données',
  revoke: 'Oublier',
  revokeChoice: (toolName) => `Oublier le choix pour ${toolName}`,
  revokeAll: 'Tout oublier',
  revoked: (toolName) => `${toolName} demandera de nouveau.`,
  auditTrail: 'Historique des réponses',
  noAuditEntries: 'Aucune réponse pour l’instant.',
  answeredBy: {
    person: 'par vous',
    remembered: 'par un choix mémorisé',
    automatic: 'automatiquement',
    nobody: 'sans réponse',
  },
  byPerson: (name) => `par ${name}`,
  receipt: 'Reçu',
  allowedBy: { person: 'autorisé par vous', remembered: 'autorisé par un choix précédent' },
  inOtherTab: 'dans un autre onglet',
  auditMore: (count) => plural('fr', count, { one: 'Afficher {n} autre', other: 'Afficher {n} autres' }),
  downloadCsv: 'Télécharger en CSV',
  downloadJson: 'Télécharger en JSON',

  serverAsks: (server) => `« ${server} » demande`,
  pageAddress: 'Adresse de la page',
  pageHint: 'Elle s’ouvre dans un nouvel onglet. Cette application ne voit pas ce que vous y saisissez.',
  openPage: 'Ouvrir la page',
  openPageAgain: 'Rouvrir',
  pageOpened: 'La page est ouverte dans un nouvel onglet. Revenez quand vous aurez terminé.',
  pageDone: 'Terminé',
  urlWarnings: {
    credentials:
      'L’adresse contient un nom d’utilisateur ou un mot de passe. Seule la partie en gras est le site.',
    punycode: 'Le nom du site a des lettres hors de a à z. Il peut imiter un nom que vous connaissez.',
    port: 'L’adresse a un numéro de port, ce qui est rare pour les sites connus.',
  },
  urlBlockReasons: {
    unreadable: 'Cette adresse est incomplète et ne peut pas être ouverte.',
    scheme: 'Seules les adresses qui commencent par https:// peuvent être ouvertes.',
    'too-long': 'Cette adresse est trop longue pour être vérifiée à l’œil. Elle ne peut pas être ouverte.',
  },
  asksForSecret:
    'On semble vous demander un secret. Le serveur qui demande peut lire votre réponse : n’indiquez ni mot de passe, ni clé, ni numéro de carte.',
  file: 'Fichier',
  fileSize: (bytes) => formatBytes('fr', bytes),
};

function countdown(seconds: number): string {
  if (seconds < 86_400) return formatClock(seconds);
  return plural('fr', Math.floor(seconds / 86_400), { one: '{n} jour', other: '{n} jours' });
}
