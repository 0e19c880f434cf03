import type { ComposerLabels } from '../../components/text/composer-labels.ts';
import type { DeliveryLabels } from '../../components/text/delivery-labels.ts';
import type { ErrorLabels } from '../../components/text/error-labels.ts';
import type { InboxLabels } from '../../components/text/inbox-labels.ts';
import type { TranscriptLabels } from '../../components/text/transcript-labels.ts';
import type { UploadLabels } from '../../components/text/upload-labels.ts';
import { errorLabels } from '../error-labels.ts';
import { formatBytes, plural, rtl } from '../format.ts';

export const pageLabels: ComposerLabels &
  DeliveryLabels &
  ErrorLabels &
  InboxLabels &
  TranscriptLabels &
  UploadLabels = {
  conversation: 'المحادثة',
  roles: { user: 'أنت', assistant: 'الوكيل' },
  thinking: 'يفكر…',
  answering: 'الوكيل يجيب.',
  reasoning: { streaming: 'يفكر…', done: 'فكّر في الأمر' },
  stopped: 'متوقف',
  operationStatus: { running: 'قيد التشغيل', done: 'تم', cancelled: 'أُلغي' },
  todos: 'المهام',
  todoStatus: { pending: 'لم تبدأ', in_progress: 'جارية', completed: 'تمت', cancelled: 'أُسقطت' },
  providerActions: 'الخطوات',
  providerSources: 'المصادر',
  providerArtifacts: 'الملفات',
  callProgress: (done, total) => (total === undefined ? rtl`أُنجز ${done}` : rtl`${done} من ${total}`),
  callFiles: 'الملفات',
  jumpToLatest: 'إلى الأحدث',
  showQuestion: 'عرض',
  turnFailed: 'فشلت الإجابة',
  errors: /* @__PURE__ */ errorLabels({
    answerFirst: 'الوكيل ينتظر إجابتك أولًا.',
    uploadFailed: 'تعذّر رفع ملف.',
    noFiles: 'لا يمكن إرسال ملفات من هنا.',
    pageWrong: 'هناك خطأ في هذه الصفحة.',
    closed: 'هذه المحادثة مغلقة. أعد تحميل الصفحة للمتابعة.',
    quotaReached: 'بلغت حد الاستخدام في هذه الخطة. لن تنفع إعادة المحاولة قبل رفعه.',
    serverFailed: 'تعذّر على الخادم الرد.',
    unexpected: 'أرسل الخادم شيئًا غير متوقع.',
    brokeOff: 'انقطع الاتصال قبل اكتمال الإجابة.',
    unreachable: 'تعذّر الوصول إلى الخادم. تحقق من اتصالك.',
    connectionLost: 'انقطع الاتصال بالخادم.',
    unfinished: 'تعذّر على الوكيل إكمال إجابته.',
    tooManySteps: 'نفّذ الوكيل خطوات كثيرة جدًا فأُوقف مؤقتًا.',
    restGone: 'لم تعد بقية هذه الإجابة متاحة.',
    notSavedHere: 'تعذّر حفظ هذه المحادثة في هذا المتصفح.',
    serverRestarted: 'أُعيد تشغيل الخادم. إجاباتك محفوظة.',
    interrupted: 'قُطعت الإجابة.',
    otherWindow: 'هذه المحادثة مستمرة في نافذة أخرى.',
    notSaved: 'تعذّر على الخادم حفظ هذه المحادثة.',
    modelBusy: 'النموذج مشغول.',
  }),
  retryAfter: (seconds) =>
    plural('ar', seconds, {
      zero: 'يطلب الخادم منك الانتظار {n} ثانية.',
      one: 'يطلب الخادم منك الانتظار ثانية واحدة.',
      two: 'يطلب الخادم منك الانتظار ثانيتين.',
      few: 'يطلب الخادم منك الانتظار {n} ثوانٍ.',
      other: 'يطلب الخادم منك الانتظار {n} ثانية.',
    }),
  tryAgain: 'إعادة المحاولة',
  dismiss: 'تجاهل',
  message: 'رسالة',
  messagePlaceholder: 'رسالة إلى الوكيل',
  send: 'إرسال',
  stop: 'إيقاف',
  composerHints: {
    idle: 'Enter للإرسال، وShift+Enter لسطر جديد.',
    streaming: 'الوكيل يجيب. الإرسال الآن يقاطعه.',
    'awaiting-input': 'الوكيل ينتظر هذه الصفحة. أجب أو أوقفه أولًا.',
    error: 'فشلت الإجابة الأخيرة. يمكنك إرسال رسالة أخرى.',
  },
  sendingWithdraws: 'الوكيل ينتظر إجابتك. الإرسال الآن يسحب سؤاله.',
  sendingWaits: 'الوكيل ينتظر إجابتك. ستُرسل رسالتك بعدها.',
  messageWaits: 'ستُرسل رسالتك بعد الإجابة عن السؤال.',
  replying: ([question = 'السؤال المفتوح', ...others]) =>
    others.length > 0
      ? rtl`يرسل رفضًا للأسئلة المفتوحة (${others.length + 1}) مع هذه الكلمات.`
      : rtl`يرسل رفضًا لـ ${question} مع هذه الكلمات.`,
  replyHasFiles: 'لا يمكن إرفاق ملفات بإجابة. أزلها، أو أجب عن السؤال أولًا.',
  attach: 'إرفاق ملفات',
  attachments: 'الملفات المرفقة',
  dropFiles: 'أفلت الملفات هنا لإرفاقها',
  removeFile: (name) => rtl`إزالة ${name}`,
  uploadAgain: (name) => rtl`رفع ${name} مجددًا`,
  uploading: (name) => rtl`جارٍ رفع ${name}`,
  uploaded: (name) => rtl`تم إرفاق ${name}.`,
  fileUploaded: 'تم الرفع',
  uploadFailed: (name, reason) => rtl`لم يُرفع ${name}: ${reason}`,
  uploadsUnfinished: 'لا تزال الملفات قيد الرفع.',
  uploadsFailed: 'لم يُرفع ملف. أعد المحاولة أو أزله.',
  fileTooLarge: (name, maxBytes) => rtl`${name} أكبر من ${formatBytes('ar', maxBytes)}.`,
  fileNotAccepted: (name) => rtl`نوع الملف ${name} غير مقبول.`,
  tooManyFiles: (max) =>
    plural('ar', max, {
      zero: 'لا يمكن إرفاق أي ملف.',
      one: 'يمكن إرفاق ملف واحد على الأكثر.',
      two: 'يمكن إرفاق ملفين على الأكثر.',
      few: 'يمكن إرفاق {n} ملفات على الأكثر.',
      many: 'يمكن إرفاق {n} ملفًا على الأكثر.',
      other: 'يمكن إرفاق {n} ملف على الأكثر.',
    }),
  chooseFiles: (max, onlyImages) => {
    if (onlyImages) return max === 1 ? 'اختر صورة، أو أفلتها هنا' : 'اختر صورًا، أو أفلتها هنا';
    return max === 1 ? 'اختر ملفًا، أو أفلته هنا' : 'اختر ملفات، أو أفلتها هنا';
  },
  uploadsUnavailable: 'لا يمكن إرسال ملفات من هنا.',

  delivery: { sending: 'جارٍ الإرسال…', 'not-sent': 'لم تُرسل بعد', refused: 'لم تُحتسب إجابتك' },
  notSentYet: 'ستُرسل تلقائيًا. حتى ذلك الحين يمكن سحبها.',
  takeBack: 'سحب',
  offline: 'أنت غير متصل بالإنترنت.',
  goesOutLater(answers, messages) {
    const waiting = [answers > 0 ? answerCount(answers) : '', messages > 0 ? messageCount(messages) : ''];
    const names = waiting.filter(Boolean).join(' و');
    if (names === '') return 'ما ترسله سيُرسل عند عودة الاتصال.';
    return rtl`بانتظار عودة الاتصال: ${names}.`;
  },
  backOnline: 'عاد الاتصال.',
  allSent: 'أُرسل كل شيء.',
  connectingAgain: 'انقطع الاتصال. تجري إعادة الاتصال…',
  tryNow: 'المحاولة الآن',
  serverRestarted: 'أُعيد تشغيل الخادم.',
  answersKept: 'إجاباتك محفوظة.',
  agentAsks: 'الوكيل يسأل:',
  questionWaits: 'بانتظارك',
  waitsForOthers: (title, who = 'شخص آخر') =>
    rtl`${title} بانتظار ${who}. لا حاجة إلى البقاء هنا: ستصل الإجابة إلى هذه المحادثة.`,

  inbox: 'بانتظارك',
  inboxLoading: 'جارٍ تحميل أسئلتك…',
  inboxEmpty: 'لا سؤال بانتظارك.',
  inboxFailed: 'تعذّر تحميل أسئلتك.',
  inboxMore: 'ستظهر أسئلة أخرى بعد الإجابة عن هذه.',
  inboxConversation: (sessionId) => rtl`المحادثة ${sessionId}`,
  inboxStartedBy: (name) => rtl`لصالح ${name}`,
  inboxAskedAt: (date) => rtl`منذ ${date}`,
  inboxNotShown: (toolName) => rtl`تعذّر عرض السؤال من ${toolName} هنا. أجب عنه في محادثته.`,
  inboxWithdrawn: (title) => rtl`أجاب شخص آخر عن «${title}»، أو انتهت مهلته.`,
  notices: 'تنبيهات',
  callPlaces: {
    client: 'في متصفحك',
    server: 'على الخادم',
    provider: 'لدى المزوّد',
    mcp: 'على خادم MCP',
  },
  waitsFor: (who = 'شخص آخر') => rtl`بانتظار ${who}`,
};

function answerCount(count: number): string {
  return plural('ar', count, {
    one: 'إجابة واحدة',
    two: 'إجابتان',
    few: '{n} إجابات',
    other: '{n} إجابة',
  });
}

function messageCount(count: number): string {
  return plural('ar', count, {
    one: 'رسالة واحدة',
    two: 'رسالتان',
    few: '{n} رسائل',
    other: '{n} رسالة',
  });
}
