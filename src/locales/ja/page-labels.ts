import type { ComposerLabels } from '../../components/text/composer-labels.ts';
import type { DeliveryLabels } from '../../components/text/delivery-labels.ts';
import type { ErrorLabels } from '../../components/text/error-labels.ts';
import type { InboxLabels } from '../../components/text/inbox-labels.ts';
import type { TranscriptLabels } from '../../components/text/transcript-labels.ts';
import type { UploadLabels } from '../../components/text/upload-labels.ts';
import { errorLabels } from '../error-labels.ts';
import { formatBytes, plural } from '../format.ts';

export const pageLabels: ComposerLabels &
  DeliveryLabels &
  ErrorLabels &
  InboxLabels &
  TranscriptLabels &
  UploadLabels = {
  conversation: '会話',
  roles: { user: 'あなた', assistant: 'エージェント' },
  thinking: '考え中…',
  answering: 'エージェントが回答しています。',
  reasoning: { streaming: '考え中…', done: '考えた内容' },
  stopped: '停止しました',
  operationStatus: { running: '実行中', done: '完了', cancelled: 'キャンセル済み' },
  todos: 'タスク',
  todoStatus: { pending: '未着手', in_progress: '進行中', completed: '完了', cancelled: '取りやめ' },
  providerActions: '手順',
  providerSources: '出典',
  providerArtifacts: 'ファイル',
  callProgress: (done, total) => (total === undefined ? `${done} 件完了` : `${done}/${total}`),
  callFiles: 'ファイル',
  jumpToLatest: '最新へ',
  showQuestion: '表示',
  turnFailed: '回答に失敗しました',
  errors: /* @__PURE__ */ errorLabels({
    answerFirst: 'エージェントは先にあなたの回答を待っています。',
    uploadFailed: 'ファイルをアップロードできませんでした。',
    noFiles: 'ここからファイルは送れません。',
    pageWrong: 'このページに問題があります。',
    closed: 'この会話は閉じられました。続けるにはページを再読み込みしてください。',
    quotaReached: 'プランの利用上限に達しました。上限が引き上げられるまで、再試行しても使えません。',
    serverFailed: 'サーバーが応答できませんでした。',
    unexpected: 'サーバーから予期しない内容が届きました。',
    brokeOff: '回答が終わる前に接続が切れました。',
    unreachable: 'サーバーに接続できません。接続を確認してください。',
    connectionLost: 'サーバーとの接続が切れました。',
    unfinished: 'エージェントは回答を最後まで終えられませんでした。',
    tooManySteps: 'エージェントの手順が多すぎたため、一時停止しました。',
    restGone: 'この回答の続きはもう利用できません。',
    notSavedHere: 'この会話をこのブラウザーに保存できませんでした。',
    serverRestarted: 'サーバーが再起動しました。あなたの回答は残っています。',
    interrupted: '回答が中断されました。',
    otherWindow: 'この会話は別のウィンドウで続いています。',
    notSaved: 'サーバーがこの会話を保存できませんでした。',
    modelBusy: 'モデルが混み合っています。',
  }),
  retryAfter: (seconds) => plural('ja', seconds, { other: 'サーバーの案内により、{n} 秒お待ちください。' }),
  tryAgain: '再試行',
  dismiss: '閉じる',
  message: 'メッセージ',
  messagePlaceholder: 'エージェントへのメッセージ',
  send: '送信',
  stop: '停止',
  composerHints: {
    idle: 'Enter で送信、Shift+Enter で改行します。',
    streaming: 'エージェントが回答しています。今送信すると中断されます。',
    'awaiting-input': 'エージェントはこのページを待っています。先に回答するか、停止してください。',
    error: '前の回答は失敗しました。別のメッセージを送れます。',
  },
  sendingWithdraws: 'エージェントが回答を待っています。今送信すると質問は取り下げられます。',
  sendingWaits: 'エージェントが回答を待っています。メッセージはその後に送られます。',
  messageWaits: 'メッセージは質問への回答後に送られます。',
  replying: ([question, ...others]) => {
    const asked = question === undefined ? '未回答の質問' : `「${question}」`;
    return `この言葉を添えて、${others.length > 0 ? `${others.length + 1} 件の質問` : asked}を断ります。`;
  },
  replyHasFiles: '回答にファイルは付けられません。ファイルを外すか、先に質問に回答してください。',
  attach: 'ファイルを添付',
  attachments: '添付ファイル',
  dropFiles: 'ここにドロップして添付',
  removeFile: (name) => `${name} を削除`,
  uploadAgain: (name) => `${name} を再アップロード`,
  uploading: (name) => `${name} をアップロード中`,
  uploaded: (name) => `${name} を添付しました。`,
  fileUploaded: 'アップロード済み',
  uploadFailed: (name, reason) => `${name} をアップロードできませんでした：${reason}`,
  uploadsUnfinished: 'ファイルをアップロード中です。',
  uploadsFailed: 'アップロードできなかったファイルがあります。再試行するか、削除してください。',
  fileTooLarge: (name, maxBytes) => `${name} は ${formatBytes('ja', maxBytes)} を超えています。`,
  fileNotAccepted: (name) => `${name} の形式は受け付けていません。`,
  tooManyFiles: (max) => plural('ja', max, { other: '添付できるのは {n} ファイルまでです。' }),
  chooseFiles: (_, onlyImages) => `${onlyImages ? '写真' : 'ファイル'}を選ぶか、ここにドロップ`,
  uploadsUnavailable: 'ここからファイルは送れません。',

  delivery: { sending: '送信中…', 'not-sent': '未送信', refused: '回答は反映されませんでした' },
  notSentYet: '自動で送信されます。それまでは取り消せます。',
  takeBack: '取り消す',
  offline: 'オフラインです。',
  goesOutLater(answers, messages) {
    const waiting = [
      answers > 0 ? plural('ja', answers, { other: '回答 {n} 件' }) : '',
      messages > 0 ? plural('ja', messages, { other: 'メッセージ {n} 件' }) : '',
    ].filter(Boolean);
    if (waiting.length === 0) return '送信したものは、オンラインに戻ると送られます。';
    return `${waiting.join('と')}は、オンラインに戻ると送られます。`;
  },
  backOnline: 'オンラインに戻りました。',
  allSent: 'すべて送信しました。',
  connectingAgain: '接続が切れました。再接続中…',
  tryNow: '今すぐ試す',
  serverRestarted: 'サーバーが再起動しました。',
  answersKept: 'あなたの回答は残っています。',
  agentAsks: 'エージェントからの質問：',
  questionWaits: '回答を待っています',
  waitsForOthers: (title, who = 'ほかの人') =>
    `「${title}」は${who}の回答を待っています。ここで待つ必要はありません。回答はこの会話に届きます。`,

  inbox: '回答待ち',
  inboxLoading: '質問を読み込んでいます…',
  inboxEmpty: '回答を待っている質問はありません。',
  inboxFailed: '質問を読み込めませんでした。',
  inboxMore: 'これらに回答すると、続きの質問が表示されます。',
  inboxConversation: (sessionId) => `会話 ${sessionId}`,
  inboxStartedBy: (name) => `依頼者：${name}`,
  inboxAskedAt: (date) => `${date} から`,
  inboxNotShown: (toolName) => `${toolName} からの質問はここに表示できません。元の会話で回答してください。`,
  inboxWithdrawn: (title) => `「${title}」はほかの人が回答したか、時間切れです。`,
  notices: 'お知らせ',
  callPlaces: {
    client: 'お使いのブラウザー',
    server: 'サーバー',
    provider: 'プロバイダー',
    mcp: 'MCP サーバー',
  },
  waitsFor: (who = 'ほかの人') => `${who}の回答待ち`,
};
