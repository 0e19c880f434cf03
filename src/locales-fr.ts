/** Every text of handrail in one language, for `LabelsProvider`, `useAttention` and `runCodeTool`. */

export { fr } from './locales/fr/fr.ts';
export type { LocaleLabels } from './locales/locale-labels.ts';
