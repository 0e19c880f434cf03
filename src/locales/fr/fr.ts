import { plural } from '../format.ts';
import type { LocaleLabels } from '../locale-labels.ts';
import { formLabels } from './form-labels.ts';
import { pageLabels } from './page-labels.ts';
import { questionLabels } from './question-labels.ts';
import { runCodeLabels } from './run-code-labels.ts';

/** Every text of the kit in French, with the formal "vous". */
export const fr: LocaleLabels = {
  ...questionLabels,
  ...formLabels,
  ...pageLabels,
  locale: 'fr',
  runCode: runCodeLabels,
  attentionTitle: (count, agent, site) => `(${count}) ${agent} demande – ${site}`,
  attentionNotification: (agent) => `${agent} demande`,
  attentionBody: (_, site) => `Une question vous attend sur ${site}.`,
  attentionAgent: 'L’agent',
  confirm: 'Confirmer',
  decline: 'Refuser',
  back: 'Retour',
  cancel: 'Annuler',
  close: 'Fermer',
  unsent: 'Rien n’a encore été envoyé. Fermer sans répondre ?',
  stay: 'Continuer à répondre',
  leave: 'Fermer sans répondre',
  answerLater: 'Répondre plus tard',
  askedWhileTyping: (title) => `L’agent demande : ${title}`,
  opensWhenYouPause: 's’ouvre dès que vous faites une pause',
  waitsForYou: (title) => `${title} attend votre réponse`,
  openQuestion: 'Ouvrir',
  kindMissing: 'Cette page ne peut pas afficher la question. Vous pouvez la refuser.',
  submit: 'Envoyer',
  doNotAnswer: 'Ne pas répondre',
  submitting: 'Envoi…',
  rerunTitle: (toolName) => `Relancer « ${toolName} » ?`,
  rerunMessage: () => 'C’était encore en cours quand la page a été quittée.',
  rerun: 'Relancer',
  doNotRerun: 'Ne pas relancer',
  confirmAll: (count) => plural('fr', count, { one: 'Confirmer', other: 'Confirmer les {n}' }),
  otherCalls: (count) =>
    plural('fr', count, {
      one: 'Afficher {n} autre du même type',
      other: 'Afficher {n} autres du même type',
    }),
  callStatus: {
    waiting: 'attend votre réponse',
    pending: 'en préparation',
    running: 'en cours',
    done: 'terminé',
    error: 'échec',
    cancelled: 'annulé',
    submitted: 'terminé',
    confirmed: 'confirmé',
    declined: 'refusé',
    'timed-out': 'délai dépassé',
    aborted: 'arrêté',
    expired: 'expiré',
    superseded: 'plus nécessaire',
    failed: 'échec',
  },
  choseInCall: (choice) => `vous avez choisi ${choice}`,
  declinedBecause: (reason) => `refusé : ${reason}`,
  saidBy: {
    allowed: (name) => `autorisé par ${name}`,
    declined: (name) => `refusé par ${name}`,
    answered: (name) => `répondu par ${name}`,
  },
  details: 'Détails',
  askedBy: (toolName) => `Demandé par l’outil ${toolName}`,
  none: 'Aucun',
  moreItems: (count) => plural('fr', count, { one: 'et {n} autre', other: 'et {n} autres' }),
  alreadySettled: 'Une réponse a déjà été donnée, ou l’agent a été arrêté. Rien n’a été envoyé.',
  expired: 'L’agent n’attend plus : il a été arrêté, ou le délai est passé. Rien n’a été envoyé.',
  notAllowed: 'Quelqu’un d’autre doit répondre. Rien n’a été envoyé.',
  withdrawn: (title) => `« ${title} » n’attend plus de réponse.`,
  notSerializable: 'Cette réponse n’a pas pu être envoyée :',
  answerRefused: 'Cette réponse n’a pas été acceptée :',
  pendingTitle: (count) =>
    plural('fr', count, {
      one: '{n} question attend votre réponse',
      other: '{n} questions attendent votre réponse',
    }),
  outcomes: {
    submitted: 'Répondu',
    confirmed: 'Confirmé',
    allowed: 'Autorisé',
    chose: (choice) => `Vous avez choisi ${choice}`,
    declined: 'Refusé',
    cancelled: 'Annulé',
    expired: 'Plus nécessaire',
  },
  dialogFailed: (toolName) => `La question de ${toolName} n’a pas pu être affichée. L’agent en est informé.`,
  chooseOne: 'Choisissez une option',
  chooseSeveral: (min, max) => {
    if (max === undefined)
      return min > 1 ? `Choisissez-en au moins ${min}` : 'Choisissez tout ce qui convient';
    if (min === max) return `Choisissez-en ${min}`;
    return min > 0 ? `Choisissez-en de ${min} à ${max}` : `Choisissez-en jusqu’à ${max}`;
  },
  choiceMissing: 'Choisissez l’une des options.',
  choiceTooFew: (min) => `Choisissez-en au moins ${min}.`,
  choiceTooMany: (max) => `Choisissez-en au plus ${max}.`,
  search: 'Rechercher une option',
  searchResults: (count) => plural('fr', count, { one: '{n} option', other: '{n} options' }),
  searchEmpty: 'Aucune option ne correspond.',
  noOptions: 'L’agent n’a envoyé aucune option.',
  notSent: (reason) => `Non envoyé : ${reason}`,
  unknownError: 'erreur inconnue',
};
