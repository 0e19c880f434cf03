import type { RunCodeLabels } from '../../sandbox/ui/run-code-labels.ts';
import { formatDuration, plural, rtl } from '../format.ts';

export const runCodeLabels: RunCodeLabels = {
  title: 'تشغيل الشيفرة',
  code: 'الشيفرة',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  lines: (count) =>
    plural('ar', count, {
      one: 'سطر واحد، معروض كاملًا',
      two: 'سطران، معروضان كاملين',
      few: '{n} أسطر، معروضة كلها',
      many: '{n} سطرًا، معروضة كلها',
      other: '{n} سطر، معروضة كلها',
    }),
  linesShown: (shown, count) => rtl`المعروض ${shown} من ${count} من الأسطر`,
  showAllLines: (count) => rtl`عرض الأسطر كلها (${count})`,
  copy: 'نسخ',
  copied: 'تم النسخ',
  limits: 'ما يمكن للشيفرة فعله',
  mayUse: 'يمكنها استدعاء',
  nothing: 'لا شيء خارج شيفرتها',
  cannot: 'لا يمكنها',
  isolation: 'الوصول إلى الشبكة أو هذه الصفحة أو ملفاتك',
  stopsAfter: 'تتوقف بعد',
  limit: (milliseconds) =>
    plural('ar', Math.round(milliseconds / 100) / 10, {
      one: 'ثانية واحدة',
      two: 'ثانيتين',
      few: '{n} ثوانٍ',
      other: '{n} ثانية',
    }),
  data: 'بيانات',
  module: 'وحدة',
  run: 'تشغيل',
  decline: 'عدم التشغيل',
  stop: 'إيقاف',
  close: 'إغلاق',
  running: 'قيد التشغيل…',
  waiting: 'بانتظارك',
  reports: 'التقدم',
  logs: 'وحدة التحكم',
  result: 'النتيجة',
  showCode: 'عرض الشيفرة',
  statuses: {
    success: 'انتهت',
    error: 'فشلت',
    memory: 'نفدت الذاكرة',
    terminated: 'أُوقفت',
    link_error: 'تعذّر بدؤها',
  },
  place: (filename, line, column) =>
    rtl`${filename}، السطر ${line}` + (column === undefined ? '' : rtl`، العمود ${column}`),
  took: (milliseconds) => formatDuration('ar', milliseconds),
  stoppedByPerson: 'أوقفها المستخدم',
};
