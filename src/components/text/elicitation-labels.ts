/** Something unusual about a URL that the dialog warns of, in the order of the warnings. */
export type UrlWarning = 'credentials' | 'punycode' | 'port';
/** Why the dialog does not open a URL at all. */
export type UrlBlockReason = 'unreadable' | 'scheme' | 'too-long';

/** The strings of MCP elicitation: pages to open, consents, warnings about secrets. Part of {@link Labels}. */
export interface ElicitationLabels {
  readonly pageAddress: string;
  readonly pageHint: string;
  readonly openPage: string;
  readonly openPageAgain: string;
  /** Shown while the page is open in another tab. */
  readonly pageOpened: string;
  readonly pageDone: string;
  readonly urlWarnings: Readonly<Record<UrlWarning, string>>;
  readonly urlBlockReasons: Readonly<Record<UrlBlockReason, string>>;
  readonly asksForSecret: string;
}

export const englishElicitationLabels: ElicitationLabels = {
  pageAddress: 'Page address',
  pageHint: 'It opens in a new tab. This app cannot see what you enter there.',
  openPage: 'Open page',
  openPageAgain: 'Open again',
  pageOpened: 'The page is open in a new tab. Come back when you are done.',
  pageDone: 'Done',
  urlWarnings: {
    credentials: 'The address contains a user name or password. Only the part in bold is the site.',
    punycode: 'The name of the site uses letters outside a to z. It may imitate a name you know.',
    port: 'The address has a port number, which is rare for well-known sites.',
  },
  urlBlockReasons: {
    unreadable: 'This is not a full address, so it cannot be opened.',
    scheme: 'Only addresses that begin with https:// can be opened.',
    'too-long': 'This address is too long to check by eye, so it cannot be opened.',
  },
  asksForSecret:
    'This seems to ask for something secret. The server that asks can read your answer: leave out passwords, keys and card numbers.',
};
