import type { ApprovalLabels } from '../../components/text/approval-labels.ts';
import type { ArgumentLabels } from '../../components/text/argument-labels.ts';
import type { ElicitationLabels } from '../../components/text/elicitation-labels.ts';
import type { PolicyLabels } from '../../components/text/policy-labels.ts';
import type { QuestionLabels } from '../../components/text/question-labels.ts';
import { formatBytes, formatClock, isolate, joinNames, plural, rtl } from '../format.ts';

export const questionLabels: ApprovalLabels &
  ArgumentLabels &
  ElicitationLabels &
  PolicyLabels &
  QuestionLabels = {
  arguments: 'ما يريد الوكيل فعله',
  callArguments: 'البيانات',
  result: 'النتيجة',
  yes: 'نعم',
  no: 'لا',
  nothing: 'فارغ',
  hidden: 'مخفي',
  unreadable: 'لا يمكن عرضه',
  moreInside: (count) => rtl`${count} أخرى بالداخل`,
  showMore: (count) => rtl`عرض ${count} أخرى`,
  showAll: (count) =>
    plural('ar', count, {
      one: 'عرض الحرف الوحيد',
      two: 'عرض الحرفين',
      few: 'عرض الأحرف الـ {n}',
      other: 'عرض الأحرف كلها ({n})',
    }),
  showLess: 'عرض أقل',
  change: 'تغيير',
  undo: 'تراجع',
  changeArgument: (title) => rtl`تغيير ${title}`,
  undoArgument: (title) => rtl`التراجع عن تغيير ${title}`,
  changedByYou: 'غيّرته أنت',
  before: 'قبل:',
  after: 'الآن:',
  changedTo: (title, value) => rtl`${title} الآن ${value}.`,
  saveChanges: 'تطبيق',
  wasValue: (value) => rtl`كان ${value}.`,
  valueRange: (from, to) => rtl`من ${from} إلى ${to}.`,
  applyFirst: 'طبّق التغيير أو ألغه أولًا.',
  editUnavailable: 'تعذّر تحميل الحقل. قرّر دون تغيير، أو أعد تحميل الصفحة.',

  assistant: 'المساعد',
  asker: (agent, site) => (site === '' ? isolate(agent) : rtl`${agent} على ${site}`),
  // The asker is a text of this language already, with its names apart.
  asksYou: (asker) => `${asker} يسألك`,
  goesOnSoon: (agent) => rtl`${agent} سيتابع قريبًا دون إجابة`,
  askedByAgent: (origin) => rtl`لصالح وكيله «${origin}»`,
  runsHere: 'يعمل في هذا المتصفح',
  runsThrough: (server) => rtl`عبر خادم MCP ${server}`,
  queuePosition: (index, total) => rtl`${index} من ${total}`,
  countdown,
  answerWithin: (seconds) => rtl`المتبقي للإجابة: ${countdown(seconds)}`,
  timeLeft: (seconds) => rtl`المتبقي: ${duration(seconds)}`,
  caution: 'يُرجى التحقق',
  destructive: 'لا يمكن التراجع عنه',
  inAgentsWords: 'بكلمات الوكيل',
  agentSays: 'يقول الوكيل',
  yesWithValue: (verb, value) => rtl`${verb} ${value}`,
  readySoon: 'جاهز بعد لحظة',
  detailsBelow: (count) => rtl`${moreDetails(count)} بالأسفل`,
  detailsAbove: (count) => rtl`${moreDetails(count)} بالأعلى`,
  addNote: 'إضافة ملاحظة',
  note: 'ملاحظة يقرؤها الوكيل',
  unsentNote: 'ملاحظتك، لم تُرسل',
  whyNot: 'لِمَ لا؟',
  whyNotHint: 'يقرأ الوكيل هذا.',
  whyNotMissing: 'اذكر السبب أولًا.',
  typeToConfirm: (word) => rtl`اكتب ${word} للسماح بهذا`,
  typeToConfirmMissing: (word) => rtl`اكتب ${word} أولًا كما هو معروض تمامًا.`,
  decidedJustNow: {
    allowed: (name) => rtl`سمح ${name} بهذا للتو.`,
    declined: (name) => rtl`رفض ${name} هذا للتو.`,
    answered: (name) => rtl`أجاب ${name} عن هذا للتو.`,
  },

  allow: 'سماح',
  doNotAllow: 'رفض',
  allowAll: (count) => rtl`السماح للكل (${count})`,
  coversConversation: 'إذا سمحت بهذا، فقد يتكرر في هذه المحادثة دون سؤال.',
  remember: 'عدد مرات السؤال',
  rememberOnce: 'السماح مرة واحدة',
  rememberAlways: 'السماح دائمًا…',
  rememberSentence: 'عدم السؤال مجددًا عن {calls} في {place}. يمكنك التراجع من «الاختيارات المحفوظة».',
  rememberCalls: 'لأي طلبات',
  rememberSame: (names) =>
    names.length === 0 || names.length > 2
      ? 'هذه البيانات تحديدًا'
      : rtl`القيمة نفسها لـ ${joinNames('ar', names.map(isolate))}`,
  rememberEvery: 'كل طلب من هذا النوع',
  rememberFor: 'أين',
  rememberScopes: { conversation: 'هذه المحادثة', browser: 'هذا المتصفح', everywhere: 'كل محادثاتك' },
  rememberHint: 'من الآن يُسمح بذلك دون سؤال. يمكنك تغييره لاحقًا.',
  rememberedChoices: 'الاختيارات المحفوظة',
  noRememberedChoices: 'لا شيء محفوظ بعد.',
  rememberedDecisions: { allowed: 'سماح دائم', declined: 'رفض دائم' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'هذه المحادثة' : 'هذا المتصفح';
    const names = joinNames('ar', sameArguments.map(isolate));
    const which = names ? rtl`فقط بالقيمة نفسها لـ ${names}` : 'كل طلب';
    return rtl`${where}، ${which}، منذ ${date}`;
  },
  rememberedArguments: 'لهذه البيانات فقط',
  revoke: 'نسيان',
  revokeChoice: (toolName) => rtl`نسيان الاختيار الخاص بـ ${toolName}`,
  revokeAll: 'نسيان الكل',
  revoked: (toolName) => rtl`سيسأل ${toolName} مجددًا.`,
  auditTrail: 'سجل الإجابات',
  noAuditEntries: 'لا إجابات بعد.',
  answeredBy: {
    person: 'بواسطتك',
    remembered: 'باختيار محفوظ',
    automatic: 'تلقائيًا',
    nobody: 'دون إجابة',
  },
  byPerson: (name) => rtl`بواسطة ${name}`,
  receipt: 'إيصال',
  allowedBy: { person: 'سمحت به أنت', remembered: 'سمح به اختيار سابق' },
  inOtherTab: 'في علامة تبويب أخرى',
  auditMore: (count) => rtl`عرض ${count} أخرى`,
  downloadCsv: 'تنزيل CSV',
  downloadJson: 'تنزيل JSON',

  serverAsks: (server) => rtl`«${server}» يسأل`,
  pageAddress: 'عنوان الصفحة',
  pageHint: 'تُفتح في علامة تبويب جديدة. لا يرى هذا التطبيق ما تكتبه هناك.',
  openPage: 'فتح الصفحة',
  openPageAgain: 'فتح مجددًا',
  pageOpened: 'الصفحة مفتوحة في علامة تبويب جديدة. عُد عندما تنتهي.',
  pageDone: 'انتهيت',
  urlWarnings: {
    credentials: 'يحتوي العنوان على اسم مستخدم أو كلمة مرور. الموقع هو الجزء الغامق فقط.',
    punycode: 'في اسم الموقع حروف غير a إلى z. قد يقلّد اسمًا تعرفه.',
    port: 'في العنوان رقم منفذ، وهذا نادر في المواقع المعروفة.',
  },
  urlBlockReasons: {
    unreadable: 'هذا العنوان غير كامل، فلا يمكن فتحه.',
    scheme: 'لا تُفتح إلا العناوين التي تبدأ بـ https://.',
    'too-long': 'هذا العنوان أطول من أن يُراجع بالعين، فلا يمكن فتحه.',
  },
  asksForSecret:
    'يبدو أن هذا يطلب شيئًا سريًا. يمكن للخادم السائل قراءة إجابتك: لا تكتب كلمات مرور أو مفاتيح أو أرقام بطاقات.',
  file: 'ملف',
  fileSize: (bytes) => formatBytes('ar', bytes),
};

function countdown(seconds: number): string {
  return seconds < 86_400 ? formatClock(seconds) : duration(seconds);
}

function duration(seconds: number): string {
  if (seconds >= 86_400) {
    return plural('ar', Math.floor(seconds / 86_400), {
      one: 'يوم واحد',
      two: 'يومان',
      few: '{n} أيام',
      many: '{n} يومًا',
      other: '{n} يوم',
    });
  }
  if (seconds < 60) {
    return plural('ar', seconds, {
      zero: '{n} ثانية',
      one: 'ثانية واحدة',
      two: 'ثانيتان',
      few: '{n} ثوانٍ',
      other: '{n} ثانية',
    });
  }
  return plural('ar', Math.round(seconds / 60), {
    one: 'دقيقة واحدة',
    two: 'دقيقتان',
    few: '{n} دقائق',
    other: '{n} دقيقة',
  });
}

function moreDetails(count: number): string {
  return plural('ar', count, {
    zero: 'لا تفاصيل أخرى',
    one: 'تفصيل آخر',
    two: 'تفصيلان آخران',
    few: '{n} تفاصيل أخرى',
    many: '{n} تفصيلًا آخر',
    other: '{n} تفصيل آخر',
  });
}
