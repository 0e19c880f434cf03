import type { ApprovalLabels } from '../../components/text/approval-labels.ts';
import type { ArgumentLabels } from '../../components/text/argument-labels.ts';
import type { ElicitationLabels } from '../../components/text/elicitation-labels.ts';
import type { PolicyLabels } from '../../components/text/policy-labels.ts';
import type { QuestionLabels } from '../../components/text/question-labels.ts';
import { formatBytes, formatClock, plural } from '../format.ts';

export const questionLabels: ApprovalLabels &
  ArgumentLabels &
  ElicitationLabels &
  PolicyLabels &
  QuestionLabels = {
  arguments: 'エージェントが行うこと',
  callArguments: '内容',
  result: '結果',
  yes: 'はい',
  no: 'いいえ',
  nothing: 'なし',
  hidden: '非表示',
  unreadable: '表示できません',
  moreInside: (count) => `中にあと ${count} 件`,
  showMore: (count) => `あと ${count} 件を表示`,
  showAll: (count) => plural('ja', count, { other: '全 {n} 文字を表示' }),
  showLess: '折りたたむ',
  change: '変更',
  undo: '元に戻す',
  changeArgument: (title) => `${title}を変更`,
  undoArgument: (title) => `${title}の変更を元に戻す`,
  changedByYou: 'あなたが変更',
  before: '変更前：',
  after: '変更後：',
  changedTo: (title, value) => `${title}は ${value} になりました。`,
  saveChanges: '適用',
  wasValue: (value) => `変更前は ${value}。`,
  valueRange: (from, to) => `${from} から ${to} まで。`,
  applyFirst: '先に変更を適用するか、キャンセルしてください。',
  editUnavailable: '入力欄を読み込めませんでした。変更せずに決めるか、ページを再読み込みしてください。',

  assistant: 'アシスタント',
  asker: (agent, site) => (site === '' ? agent : `${agent}（${site}）`),
  asksYou: (asker) => `${asker}からの質問`,
  goesOnSoon: (agent) => `${agent}はまもなく回答なしで進みます`,
  askedByAgent: (origin) => `エージェント「${origin}」のため`,
  runsHere: 'このブラウザーで実行',
  runsThrough: (server) => `MCP サーバー ${server} 経由`,
  queuePosition: (index, total) => `${index}/${total}`,
  countdown,
  answerWithin: (seconds) => `残り ${countdown(seconds)}`,
  timeLeft: (seconds) =>
    seconds < 60
      ? plural('ja', seconds, { other: '残り {n} 秒' })
      : plural('ja', Math.round(seconds / 60), { other: '残り {n} 分' }),
  caution: '確認してください',
  destructive: '元に戻せません',
  inAgentsWords: 'エージェントの言葉',
  agentSays: 'エージェントの説明',
  yesWithValue: (verb, value) => `${value} を${verb}`,
  readySoon: 'まもなく押せます',
  detailsBelow: (count) => plural('ja', count, { other: '下にあと {n} 項目' }),
  detailsAbove: (count) => plural('ja', count, { other: '上にあと {n} 項目' }),
  addNote: 'メモを追加',
  note: 'メモ（エージェントが読みます）',
  unsentNote: 'あなたのメモ（未送信）',
  whyNot: '理由は？',
  whyNotHint: 'エージェントが読みます。',
  whyNotMissing: '先に理由を入力してください。',
  typeToConfirm: (word) => `許可するには ${word} と入力`,
  typeToConfirmMissing: (word) => `先に ${word} と表示どおりに入力してください。`,
  decidedJustNow: {
    allowed: (name) => `たった今 ${name} が許可しました。`,
    declined: (name) => `たった今 ${name} が断りました。`,
    answered: (name) => `たった今 ${name} が回答しました。`,
  },

  allow: '許可する',
  doNotAllow: '許可しない',
  allowAll: (count) => `${count} 件すべて許可`,
  coversConversation: '許可すると、この会話では確認なしで再び実行されることがあります。',
  remember: '確認の頻度',
  rememberOnce: '今回だけ許可',
  rememberAlways: '常に許可…',
  rememberSentence:
    '{place}では、{calls}について今後は確認しません。「記憶した選択」でいつでも取り消せます。',
  rememberCalls: '対象の呼び出し',
  rememberSame: (names) =>
    names.length === 0 || names.length > 2 ? 'この内容と同じ場合' : `${names.join('と')}が同じ場合`,
  rememberEvery: '同じ種類のすべて',
  rememberFor: '範囲',
  rememberScopes: { conversation: 'この会話', browser: 'このブラウザー', everywhere: 'すべての会話' },
  rememberHint: '今後は確認せずに許可します。後で変更できます。',
  rememberedChoices: '記憶した選択',
  noRememberedChoices: '記憶した選択はまだありません。',
  rememberedDecisions: { allowed: '常に許可', declined: '常に拒否' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'この会話' : 'このブラウザー';
    const calls = sameArguments.length > 0 ? `${sameArguments.join('と')}が同じ場合のみ` : 'すべての呼び出し';
    return `${where}、${calls}、${date} から`;
  },
  rememberedArguments: 'この内容の場合のみ',
  revoke: '取り消す',
  revokeChoice: (toolName) => `${toolName} の選択を取り消す`,
  revokeAll: 'すべて取り消す',
  revoked: (toolName) => `${toolName} は再び確認します。`,
  auditTrail: '回答の履歴',
  noAuditEntries: '回答はまだありません。',
  answeredBy: {
    person: 'あなたが回答',
    remembered: '記憶した選択による',
    automatic: '自動',
    nobody: '未回答',
  },
  byPerson: (name) => `${name} が回答`,
  receipt: '証明',
  allowedBy: { person: 'あなたが許可', remembered: '以前の選択により許可' },
  inOtherTab: '別のタブで',
  auditMore: (count) => `あと ${count} 件を表示`,
  downloadCsv: 'CSV をダウンロード',
  downloadJson: 'JSON をダウンロード',

  serverAsks: (server) => `「${server}」からの質問`,
  pageAddress: 'ページのアドレス',
  pageHint: '新しいタブで開きます。そこで入力した内容は、このアプリからは見えません。',
  openPage: 'ページを開く',
  openPageAgain: 'もう一度開く',
  pageOpened: 'ページは新しいタブで開いています。終わったら戻ってきてください。',
  pageDone: '終わりました',
  urlWarnings: {
    credentials: 'アドレスにユーザー名かパスワードが含まれています。サイトは太字の部分だけです。',
    punycode: 'サイト名に a から z 以外の文字があります。知っている名前に似せている可能性があります。',
    port: 'アドレスにポート番号があります。有名なサイトでは珍しいことです。',
  },
  urlBlockReasons: {
    unreadable: '完全なアドレスではないため、開けません。',
    scheme: '開けるのは https:// で始まるアドレスだけです。',
    'too-long': 'アドレスが長すぎて目で確認できないため、開けません。',
  },
  asksForSecret:
    '秘密の情報を求めているようです。質問元のサーバーは回答を読めます。パスワード、鍵、カード番号は入力しないでください。',
  file: 'ファイル',
  fileSize: (bytes) => formatBytes('ja', bytes),
};

function countdown(seconds: number): string {
  if (seconds < 86_400) return formatClock(seconds);
  return plural('ja', Math.floor(seconds / 86_400), { other: '{n} 日' });
}
