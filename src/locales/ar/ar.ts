import { plural, rtl } from '../format.ts';
import type { LocaleLabels } from '../locale-labels.ts';
import { formLabels } from './form-labels.ts';
import { pageLabels } from './page-labels.ts';
import { questionLabels } from './question-labels.ts';
import { runCodeLabels } from './run-code-labels.ts';

/** Every text of the kit in Modern Standard Arabic. The direction is that of the page: `dir="rtl"`. */
export const ar: LocaleLabels = {
  ...questionLabels,
  ...formLabels,
  ...pageLabels,
  locale: 'ar',
  runCode: runCodeLabels,
  attentionTitle: (count, agent, site) => rtl`(${count}) ${agent} يسأل – ${site}`,
  attentionNotification: (agent) => rtl`${agent} يسأل`,
  attentionBody: (_, site) => rtl`سؤال بانتظارك على ${site}.`,
  attentionAgent: 'الوكيل',
  confirm: 'تأكيد',
  decline: 'رفض',
  back: 'رجوع',
  cancel: 'إلغاء',
  close: 'إغلاق',
  unsent: 'لم يُرسل شيء بعد. هل تريد الإغلاق دون إجابة؟',
  stay: 'متابعة الإجابة',
  leave: 'إغلاق دون إجابة',
  answerLater: 'الإجابة لاحقًا',
  askedWhileTyping: (title) => rtl`الوكيل يسأل: ${title}`,
  opensWhenYouPause: 'يُفتح عند توقفك عن الكتابة',
  waitsForYou: (title) => rtl`${title} بانتظارك`,
  openQuestion: 'فتح',
  kindMissing: 'لا يمكن لهذه الصفحة عرض السؤال. يمكنك رفضه.',
  submit: 'إرسال',
  submitting: 'جارٍ الإرسال…',
  rerunTitle: (toolName) => rtl`هل تريد تشغيل «${toolName}» مجددًا؟`,
  rerunMessage: () => 'كان لا يزال قيد التشغيل عند مغادرة الصفحة.',
  rerun: 'تشغيل مجددًا',
  doNotRerun: 'عدم التشغيل',
  confirmAll: (count) => rtl`تأكيد الكل (${count})`,
  otherCalls: (count) =>
    plural('ar', count, {
      one: 'عرض طلب آخر من النوع نفسه',
      two: 'عرض طلبين آخرين من النوع نفسه',
      few: 'عرض {n} طلبات أخرى من النوع نفسه',
      many: 'عرض {n} طلبًا آخر من النوع نفسه',
      other: 'عرض {n} طلب آخر من النوع نفسه',
    }),
  callStatus: {
    waiting: 'بانتظارك',
    pending: 'قيد التحضير',
    running: 'قيد التشغيل',
    done: 'تم',
    error: 'فشل',
    cancelled: 'أُلغي',
    submitted: 'تم',
    confirmed: 'تم التأكيد',
    declined: 'رُفض',
    'timed-out': 'انتهت المهلة',
    aborted: 'أُوقف',
    expired: 'انتهت صلاحيته',
    superseded: 'لم يعد لازمًا',
    failed: 'فشل',
  },
  choseInCall: (choice) => rtl`اخترت ${choice}`,
  declinedBecause: (reason) => rtl`رُفض: ${reason}`,
  saidBy: {
    allowed: (name) => rtl`سمح به ${name}`,
    declined: (name) => rtl`رفضه ${name}`,
    answered: (name) => rtl`أجاب عنه ${name}`,
  },
  details: 'التفاصيل',
  askedBy: (toolName) => rtl`طلبته الأداة ${toolName}`,
  none: 'لا شيء',
  moreItems: (count) => rtl`و${count} أخرى`,
  alreadySettled: 'سبقت الإجابة عن هذا، أو أُوقف الوكيل. لم يُرسل شيء.',
  expired: 'لم يعد الوكيل ينتظر: أُوقف، أو انتهت المهلة. لم يُرسل شيء.',
  notAllowed: 'يجب أن يجيب شخص آخر عن هذا. لم يُرسل شيء.',
  withdrawn: (title) => rtl`«${title}» لم يعد يحتاج إلى إجابة.`,
  notSerializable: 'تعذّر إرسال هذه الإجابة:',
  answerRefused: 'لم تُقبل هذه الإجابة:',
  pendingTitle: (count) =>
    plural('ar', count, {
      zero: 'لا أسئلة بانتظار إجابتك',
      one: 'سؤال واحد بانتظار إجابتك',
      two: 'سؤالان بانتظار إجابتك',
      few: '{n} أسئلة بانتظار إجابتك',
      many: '{n} سؤالًا بانتظار إجابتك',
      other: '{n} سؤال بانتظار إجابتك',
    }),
  outcomes: {
    submitted: 'تمت الإجابة',
    confirmed: 'تم التأكيد',
    allowed: 'سُمح به',
    chose: (choice) => rtl`اخترت ${choice}`,
    declined: 'رُفض',
    cancelled: 'أُلغي',
    expired: 'لم يعد لازمًا',
  },
  dialogFailed: (toolName) => rtl`تعذّر عرض السؤال من ${toolName}. تم إبلاغ الوكيل.`,
  chooseOne: 'اختر خيارًا واحدًا',
  chooseSeveral: (min, max) => {
    if (max === undefined) return min > 1 ? rtl`اختر ${min} على الأقل` : 'اختر كل ما ينطبق';
    if (min === max) return rtl`العدد المطلوب: ${min}`;
    return min > 0 ? rtl`اختر من ${min} إلى ${max}` : rtl`اختر ${max} على الأكثر`;
  },
  choiceMissing: 'اختر أحد الخيارات.',
  choiceTooFew: (min) => rtl`اختر ${min} على الأقل.`,
  choiceTooMany: (max) => rtl`اختر ${max} على الأكثر.`,
  search: 'البحث في الخيارات',
  searchResults: (count) =>
    plural('ar', count, {
      zero: 'لا خيارات',
      one: 'خيار واحد',
      two: 'خياران',
      few: '{n} خيارات',
      many: '{n} خيارًا',
      other: '{n} خيار',
    }),
  searchEmpty: 'لا خيار مطابق.',
  noOptions: 'لم يرسل الوكيل خيارات.',
  // The reason ends the text, and where it stands every sign of direction is spelled out.
  notSent: (reason) => `لم يُرسل: ${reason}`,
  unknownError: 'خطأ غير معروف',
};
