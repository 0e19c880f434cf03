import type { RunCodeLabels } from '../../sandbox/ui/run-code-labels.ts';
import { formatDuration, plural } from '../format.ts';

export const runCodeLabels: RunCodeLabels = {
  title: 'Ejecutar código',
  code: 'Código',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  lines: (count) =>
    plural('es', count, { one: '{n} línea, completa a la vista', other: '{n} líneas, todas a la vista' }),
  linesShown: (shown, count) => `${shown} de ${count} líneas a la vista`,
  showAllLines: (count) => `Mostrar las ${count} líneas`,
  copy: 'Copiar',
  copied: 'Copiado',
  limits: 'Lo que puede hacer el código',
  mayUse: 'Puede llamar a',
  nothing: 'Nada fuera de su propio código',
  cannot: 'No puede',
  isolation: 'Acceder a la red, a esta página ni a sus archivos',
  stopsAfter: 'Se detiene tras',
  limit: (milliseconds) =>
    plural('es', Math.round(milliseconds / 100) / 10, { one: '{n} segundo', other: '{n} segundos' }),
  data: 'datos',
  module: 'módulo',
  run: 'Ejecutar',
  decline: 'No ejecutar',
  stop: 'Detener',
  close: 'Cerrar',
  running: 'En curso…',
  waiting: 'Espera su respuesta',
  reports: 'Progreso',
  logs: 'Consola',
  result: 'Resultado',
  showCode: 'Mostrar el código',
  statuses: {
    success: 'Terminado',
    error: 'Ha fallado',
    memory: 'Sin memoria',
    terminated: 'Detenido',
    link_error: 'No ha podido empezar',
  },
  place: (filename, line, column) =>
    `${filename}, línea ${line}${column === undefined ? '' : `, columna ${column}`}`,
  took: (milliseconds) => formatDuration('es', milliseconds),
  stoppedByPerson: 'detenido por la persona',
};
