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
  conversation: 'Conversation',
  roles: { user: 'Vous', assistant: 'L’agent' },
  thinking: 'Réflexion…',
  answering: 'L’agent répond.',
  reasoning: { streaming: 'Réflexion…', done: 'A réfléchi' },
  stopped: 'Arrêté',
  operationStatus: { running: 'en cours', done: 'terminé', cancelled: 'annulé' },
  todos: 'Tâches',
  todoStatus: { pending: 'à faire', in_progress: 'en cours', completed: 'fait', cancelled: 'abandonné' },
  providerActions: 'Étapes',
  providerSources: 'Sources',
  providerArtifacts: 'Fichiers',
  callProgress: (done, total) => (total === undefined ? `${done} de fait` : `${done} sur ${total}`),
  callFiles: 'Fichiers',
  jumpToLatest: 'Aller à la fin',
  showQuestion: 'Afficher',
  turnFailed: 'La réponse a échoué',
  errors: /* @__PURE__ */ errorLabels({
    answerFirst: 'L’agent attend d’abord votre réponse.',
    uploadFailed: 'Un fichier n’a pas pu être envoyé.',
    noFiles: 'L’envoi de fichiers n’est pas possible ici.',
    pageWrong: 'Cette page présente un problème.',
    closed: 'Cette conversation est fermée. Rechargez la page pour continuer.',
    quotaReached:
      'La limite de votre forfait est atteinte. Un nouvel essai ne servira à rien tant qu’elle n’est pas relevée.',
    serverFailed: 'Le serveur n’a pas pu répondre.',
    unexpected: 'Le serveur a envoyé une réponse inattendue.',
    brokeOff: 'La connexion a été coupée avant la fin de la réponse.',
    unreachable: 'Le serveur est injoignable. Vérifiez votre connexion.',
    connectionLost: 'La connexion au serveur a été perdue.',
    unfinished: 'L’agent n’a pas pu terminer sa réponse.',
    tooManySteps: 'L’agent a fait trop d’étapes et a été mis en pause.',
    restGone: 'La suite de cette réponse n’est plus disponible.',
    notSavedHere: 'Cette conversation n’a pas pu être enregistrée dans ce navigateur.',
    serverRestarted: 'Le serveur a redémarré. Vos réponses sont conservées.',
    interrupted: 'La réponse a été interrompue.',
    otherWindow: 'Cette conversation se poursuit dans une autre fenêtre.',
    notSaved: 'Le serveur n’a pas pu enregistrer cette conversation.',
    modelBusy: 'Le modèle est surchargé.',
  }),
  retryAfter: (seconds) =>
    plural('fr', seconds, {
      one: 'Le serveur vous demande d’attendre {n} seconde.',
      other: 'Le serveur vous demande d’attendre {n} secondes.',
    }),
  tryAgain: 'Réessayer',
  dismiss: 'Ignorer',
  message: 'Message',
  messagePlaceholder: 'Message à l’agent',
  send: 'Envoyer',
  stop: 'Arrêter',
  composerHints: {
    idle: 'Entrée envoie, Maj+Entrée va à la ligne.',
    streaming: 'L’agent répond. Un envoi maintenant l’interrompt.',
    'awaiting-input': 'L’agent attend cette page. Répondez-lui ou arrêtez-le d’abord.',
    error: 'La dernière réponse a échoué. Vous pouvez envoyer un autre message.',
  },
  sendingWithdraws: 'L’agent attend votre réponse. Un envoi maintenant retire sa question.',
  sendingWaits: 'L’agent attend votre réponse. Votre message partira ensuite.',
  messageWaits: 'Votre message partira une fois la question réglée.',
  replying: ([question = 'la question ouverte', ...others]) =>
    `Envoie un non à ${others.length > 0 ? `${others.length + 1} questions` : question}, avec ces mots.`,
  replyHasFiles:
    'Une réponse ne peut pas contenir de fichiers. Retirez-les, ou répondez d’abord à la question.',
  attach: 'Joindre des fichiers',
  attachments: 'Fichiers joints',
  dropFiles: 'Déposez des fichiers pour les joindre',
  removeFile: (name) => `Retirer ${name}`,
  uploadAgain: (name) => `Renvoyer ${name}`,
  uploading: (name) => `Envoi de ${name}`,
  uploaded: (name) => `${name} est joint.`,
  fileUploaded: 'envoyé',
  uploadFailed: (name, reason) => `${name} n’a pas été envoyé : ${reason}`,
  uploadsUnfinished: 'Des fichiers sont encore en cours d’envoi.',
  uploadsFailed: 'Un fichier n’a pas été envoyé. Réessayez ou retirez-le.',
  fileTooLarge: (name, maxBytes) => `${name} dépasse ${formatBytes('fr', maxBytes)}.`,
  fileNotAccepted: (name) => `${name} n’est pas un type de fichier accepté.`,
  tooManyFiles: (max) =>
    plural('fr', max, {
      one: 'Au plus {n} fichier peut être joint.',
      other: 'Au plus {n} fichiers peuvent être joints.',
    }),
  chooseFiles: (max, onlyImages) => {
    if (onlyImages)
      return max === 1 ? 'Choisir une photo, ou la déposer ici' : 'Choisir des photos, ou les déposer ici';
    return max === 1 ? 'Choisir un fichier, ou le déposer ici' : 'Choisir des fichiers, ou les déposer ici';
  },
  uploadsUnavailable: 'L’envoi de fichiers n’est pas possible ici.',

  delivery: { sending: 'envoi…', 'not-sent': 'pas encore envoyé', refused: 'votre réponse n’a pas compté' },
  notSentYet: 'L’envoi se fera tout seul. D’ici là, vous pouvez reprendre la réponse.',
  takeBack: 'Reprendre',
  offline: 'Vous êtes hors ligne.',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? plural('fr', answers, { one: '{n} réponse', other: '{n} réponses' }) : '',
      messages > 0 ? plural('fr', messages, { one: '{n} message', other: '{n} messages' }) : '',
    ].filter(Boolean);
    if (waiting.length === 0) return 'Ce que vous envoyez partira à votre retour en ligne.';
    return `${waiting.join(' et ')} ${answers + messages === 1 ? 'partira' : 'partiront'} à votre retour en ligne.`;
  },
  backOnline: 'De retour en ligne.',
  allSent: 'Tout est envoyé.',
  connectingAgain: 'Connexion perdue. Nouvelle connexion…',
  tryNow: 'Essayer maintenant',
  serverRestarted: 'Le serveur a redémarré.',
  answersKept: 'Vos réponses sont conservées.',
  agentAsks: 'L’agent demande :',
  questionWaits: 'attend votre réponse',
  waitsForOthers: (title, who = 'quelqu’un d’autre') =>
    `${title} : en attente de ${who}. Vous n’avez pas besoin de rester : la réponse arrivera dans cette conversation.`,

  inbox: 'En attente de votre réponse',
  inboxLoading: 'Chargement de vos questions…',
  inboxEmpty: 'Aucune question ne vous attend.',
  inboxFailed: 'Vos questions n’ont pas pu être chargées.',
  inboxMore: 'D’autres questions suivront celles-ci.',
  inboxConversation: (sessionId) => `Conversation ${sessionId}`,
  inboxStartedBy: (name) => `pour ${name}`,
  inboxAskedAt: (date) => `depuis ${date}`,
  inboxNotShown: (toolName) =>
    `La question de ${toolName} n’a pas pu être affichée ici. Répondez-y dans sa conversation.`,
  inboxWithdrawn: (title) => `Quelqu’un d’autre a répondu à « ${title} », ou le délai est passé.`,
  notices: 'Avis',
  callPlaces: {
    client: 'dans votre navigateur',
    server: 'sur le serveur',
    provider: 'chez le fournisseur',
    mcp: 'sur un serveur MCP',
  },
  waitsFor: (who = 'quelqu’un d’autre') => `en attente de ${who}`,
};
