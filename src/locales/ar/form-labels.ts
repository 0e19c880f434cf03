import type { FormLabels } from '../../components/text/form-labels.ts';
import { plural, rtl } from '../format.ts';

export const formLabels: FormLabels = {
  optional: 'اختياري',
  selectPlaceholder: 'اختر…',
  addItem: 'إضافة المزيد',
  addFirstItem: 'إضافة',
  itemRange: (min, max) => {
    if (max === undefined) return rtl`${min} على الأقل`;
    return min === 0 ? rtl`${max} على الأكثر` : rtl`من ${min} إلى ${max}`;
  },
  removeItem: (label) => rtl`إزالة ${label}`,
  moveUp: (label) => rtl`نقل ${label} إلى أعلى`,
  moveDown: (label) => rtl`نقل ${label} إلى أسفل`,
  itemLabel: (label, index) => rtl`${label} ${index}`,
  entryKey: 'الاسم',
  entryValue: 'القيمة',
  kindNames: {
    text: 'نص',
    number: 'عدد',
    boolean: 'نعم أو لا',
    choice: 'خيار من قائمة',
    list: 'قائمة',
    group: 'عدة حقول',
    json: 'أي شيء (JSON)',
  },
  value: 'القيمة',
  jsonNote: 'لا نموذج لهذا الجزء. أدخله بصيغة JSON.',
  noFields: 'لا شيء لملئه.',
  skippedFields: (count) =>
    plural('ar', count, {
      zero: 'لم يُحذف أي حقل.',
      one: 'حُذف حقل واحد لم يُفهم.',
      two: 'حُذف حقلان لم يُفهما.',
      few: 'حُذفت {n} حقول لم تُفهم.',
      many: 'حُذف {n} حقلًا لم يُفهم.',
      other: 'حُذف {n} حقل لم يُفهم.',
    }),
  showSecret: 'إظهار',
  hideSecret: 'إخفاء',
  secretNote: (host) => rtl`يُرسل إلى ${host} فقط. لا يُحفظ في المحادثة.`,
  errorSummary: (count) =>
    plural('ar', count, {
      zero: 'لا إجابات تحتاج إلى مراجعة',
      one: 'إجابة واحدة تحتاج إلى مراجعة',
      two: 'إجابتان تحتاجان إلى مراجعة',
      few: '{n} إجابات تحتاج إلى مراجعة',
      other: '{n} إجابة تحتاج إلى مراجعة',
    }),
  required: 'املأ هذا الحقل.',
  fileMissing: 'اختر ملفًا.',
  numberRange: (min, max) => rtl`من ${min} إلى ${max}`,
  hintFrom: (limit) => rtl`من ${limit}`,
  hintUpTo: (limit) => rtl`حتى ${limit}`,
  hintAbove: (limit) => rtl`أكثر من ${limit}`,
  hintBelow: (limit) => rtl`أقل من ${limit}`,
  upToCharacters: (max) => rtl`حتى ${characters(max)}`,
  tooShort: (min) => rtl`الحد الأدنى ${characters(min)}.`,
  tooLong: (max) => rtl`الحد الأقصى ${characters(max)}.`,
  scaleMissing: (min, max) => rtl`اختر من ${min} إلى ${max}.`,
  tooEarly: (limit) => rtl`${limit} أو بعده.`,
  tooLate: (limit) => rtl`${limit} أو قبله.`,
  tooSmall: (min) => rtl`أدخل ${min} أو أكثر.`,
  tooLarge: (max) => rtl`أدخل ${max} أو أقل.`,
  above: (limit) => rtl`أدخل أكثر من ${limit}.`,
  below: (limit) => rtl`أدخل أقل من ${limit}.`,
  notNumber: 'أدخل عددًا.',
  ambiguousNumber: 'أدخل العدد دون فاصل للآلاف.',
  notInteger: 'أدخل عددًا صحيحًا.',
  notMultiple: (step) => rtl`أدخل أحد مضاعفات ${step}.`,
  notEmail: 'أدخل عنوان بريد إلكتروني، مثل name@example.com.',
  notUrl: 'أدخل عنوانًا كاملًا، مثل https://example.com.',
  notDate: 'أدخل تاريخًا.',
  notDateTime: 'أدخل تاريخًا ووقتًا.',
  notTime: 'أدخل وقتًا.',
  notPattern: 'هذه ليست الصيغة المتوقعة.',
  notJson: 'هذا ليس JSON صالحًا.',
  tooFewItems: (min) => rtl`أضف ${min} على الأقل.`,
  tooManyItems: (max) => rtl`أبقِ ${max} على الأكثر.`,
  duplicateItem: 'هذا موجود في القائمة.',
  duplicateKey: 'هذا الاسم مستخدم مرتين.',
  formInvalid: 'لم يُقبل هذا:',
};

function characters(count: number): string {
  return plural('ar', count, {
    one: 'حرف واحد',
    two: 'حرفان',
    few: '{n} أحرف',
    many: '{n} حرفًا',
    other: '{n} حرف',
  });
}
