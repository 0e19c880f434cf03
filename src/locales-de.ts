/** Every text of handrail in one language, for `LabelsProvider`, `useAttention` and `runCodeTool`. */

export { de } from './locales/de/de.ts';
export type { LocaleLabels } from './locales/locale-labels.ts';
