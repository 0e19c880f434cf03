/** Every text of handrail in one language, for `LabelsProvider`, `useAttention` and `runCodeTool`. */

export { ar } from './locales/ar/ar.ts';
export type { LocaleLabels } from './locales/locale-labels.ts';
