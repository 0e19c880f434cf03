/** Every text of handrail in one language, for `LabelsProvider`, `useAttention` and `runCodeTool`. */

export { ja } from './locales/ja/ja.ts';
export type { LocaleLabels } from './locales/locale-labels.ts';
