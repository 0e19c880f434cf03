import type { RunCodeLabels } from '../../sandbox/ui/run-code-labels.ts';
import { formatDuration, plural } from '../format.ts';

export const runCodeLabels: RunCodeLabels = {
  title: 'Exécuter du code',
  code: 'Code',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  lines: (count) =>
    plural('fr', count, { one: '{n} ligne, affichée en entier', other: '{n} lignes, toutes affichées' }),
  linesShown: (shown, count) => `${shown} lignes sur ${count} affichées`,
  showAllLines: (count) => `Afficher les ${count} lignes`,
  copy: 'Copier',
  copied: 'Copié',
  limits: 'Ce que le code peut faire',
  mayUse: 'Peut appeler',
  nothing: 'Rien hors de son propre code',
  cannot: 'Ne peut pas',
  isolation: 'Atteindre le réseau, cette page ou vos fichiers',
  stopsAfter: 'S’arrête après',
  limit: (milliseconds) =>
    plural('fr', Math.round(milliseconds / 100) / 10, { one: '{n} seconde', other: '{n} secondes' }),
  data: 'données',
  module: 'module',
  run: 'Exécuter',
  decline: 'Ne pas exécuter',
  stop: 'Arrêter',
  close: 'Fermer',
  running: 'En cours…',
  waiting: 'Attend votre réponse',
  reports: 'Avancement',
  logs: 'Journal',
  result: 'Résultat',
  showCode: 'Afficher le code',
  statuses: {
    success: 'Terminé',
    error: 'Échec',
    memory: 'Mémoire insuffisante',
    terminated: 'Arrêté',
    link_error: 'N’a pas pu démarrer',
  },
  place: (filename, line, column) =>
    `${filename}, ligne ${line}${column === undefined ? '' : `, colonne ${column}`}`,
  took: (milliseconds) => formatDuration('fr', milliseconds),
  stoppedByPerson: 'arrêté par la personne',
};
