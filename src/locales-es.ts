/** Every text of handrail in one language, for `LabelsProvider`, `useAttention` and `runCodeTool`. */

export { es } from './locales/es/es.ts';
export type { LocaleLabels } from './locales/locale-labels.ts';
