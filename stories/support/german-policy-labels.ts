import type { PolicyLabels } from '../../src/components/text/policy-labels.ts';

export const germanPolicyLabels: PolicyLabels = {
  allow: 'Erlauben',
  doNotAllow: 'Nicht erlauben',
  allowAll: (count) => `Alle ${count} erlauben`,
  coversConversation: 'Wenn du das erlaubst, darf es in diesem Gespräch ohne Rückfrage wieder laufen.',
  remember: 'Wie oft gefragt wird',
  rememberOnce: 'Einmal erlauben',
  rememberAlways: 'Immer erlauben …',
  rememberSentence:
    'Nicht mehr fragen für {calls} in {place}. Unter „Gemerkte Entscheidungen“ nimmst du das zurück.',
  rememberCalls: 'Für welche Aufrufe',
  rememberSame: () => 'genau diese Angaben',
  rememberEvery: 'jeden Aufruf dieser Art',
  rememberFor: 'Wo',
  rememberScopes: { conversation: 'diesem Gespräch', browser: 'diesem Browser' },
  rememberHint: 'Was du jetzt wählst, geschieht dann ohne Rückfrage. Du kannst es später zurücknehmen.',
  rememberedChoices: 'Gemerkte Entscheidungen',
  noRememberedChoices: 'Nichts ist gemerkt. Werkzeuge fragen jedes Mal.',
  rememberedDecisions: { allowed: 'Erlaubt immer', declined: 'Lehnt immer ab' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'Dieses Gespräch' : 'Dieser Browser';
    const names = new Intl.ListFormat('de').format(sameArguments);
    return `${where}, ${names ? `nur bei gleichem Wert von ${names}` : 'jeder Aufruf'}, seit ${date}`;
  },
  rememberedArguments: 'Nur für diese Angaben',
  revoke: 'Vergessen',
  revokeChoice: (toolName) => `Entscheidung für ${toolName} vergessen`,
  revokeAll: 'Alle vergessen',
  revoked: (toolName) => `${toolName} fragt wieder.`,
  auditTrail: 'Was beantwortet wurde',
  noAuditEntries: 'Noch nichts wurde beantwortet.',
  answeredBy: {
    person: 'von dir',
    remembered: 'durch eine gemerkte Entscheidung',
    automatic: 'von selbst',
    nobody: 'von niemandem',
  },
  byPerson: (name) => `von ${name}`,
  receipt: 'Beleg',
  allowedBy: { person: 'von dir erlaubt', remembered: 'durch eine frühere Entscheidung erlaubt' },
  inOtherTab: 'in einem anderen Tab',
  auditMore: (count) => `${count} weitere zeigen`,
  downloadCsv: 'Als CSV herunterladen',
  downloadJson: 'Als JSON herunterladen',
};
