import type { RunCodeLabels } from '../../sandbox/ui/run-code-labels.ts';
import { formatDuration, plural } from '../format.ts';

export const runCodeLabels: RunCodeLabels = {
  title: 'Code ausführen',
  code: 'Code',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  lines: (count) =>
    plural('de', count, { one: '{n} Zeile, ganz zu sehen', other: '{n} Zeilen, alle zu sehen' }),
  linesShown: (shown, count) => `${shown} von ${count} Zeilen zu sehen`,
  showAllLines: (count) => `Alle ${count} Zeilen zeigen`,
  copy: 'Kopieren',
  copied: 'Kopiert',
  limits: 'Was der Code darf',
  mayUse: 'Darf aufrufen',
  nothing: 'Nichts außerhalb seines eigenen Codes',
  cannot: 'Kann nicht',
  isolation: 'Netz, diese Seite oder Ihre Dateien erreichen',
  stopsAfter: 'Endet nach',
  limit: (milliseconds) =>
    plural('de', Math.round(milliseconds / 100) / 10, { one: '{n} Sekunde', other: '{n} Sekunden' }),
  data: 'Daten',
  module: 'Modul',
  run: 'Ausführen',
  decline: 'Nicht ausführen',
  stop: 'Anhalten',
  close: 'Schließen',
  running: 'Läuft …',
  waiting: 'Wartet auf Sie',
  reports: 'Fortschritt',
  logs: 'Konsole',
  result: 'Ergebnis',
  showCode: 'Code zeigen',
  statuses: {
    success: 'Fertig',
    error: 'Fehlgeschlagen',
    memory: 'Zu wenig Speicher',
    terminated: 'Angehalten',
    link_error: 'Ließ sich nicht starten',
  },
  place: (filename, line, column) =>
    `${filename}, Zeile ${line}${column === undefined ? '' : `, Spalte ${column}`}`,
  took: (milliseconds) => formatDuration('de', milliseconds),
  stoppedByPerson: 'von der Person angehalten',
};
