import type { PageObstacle, PageOddity } from '../elicitation/judge-page.ts';

/** The strings of what MCP servers ask: pages to open, answers without a form, secrets; part of {@link Labels}. */
export interface ElicitationLabels {
  /** The title of a question that comes from an MCP server. */
  readonly serverAsks: (server: string) => string;
  readonly pageAddress: string;
  readonly pageHint: string;
  readonly openPage: string;
  readonly openPageAgain: string;
  /** While the page is open elsewhere. */
  readonly pageOpened: string;
  readonly pageDone: string;
  readonly pageOddities: Readonly<Record<PageOddity, string>>;
  readonly pageObstacles: Readonly<Record<PageObstacle, string>>;
  readonly asksForSecret: string;
}

export const englishElicitationLabels: ElicitationLabels = {
  serverAsks: (server) => `“${server}” asks`,
  pageAddress: 'Address of the page',
  pageHint: 'It opens in a new tab. What you enter there cannot be seen from here.',
  openPage: 'Open page',
  openPageAgain: 'Open again',
  pageOpened: 'The page was opened in a new tab. Come back when you are done there.',
  pageDone: 'I am done',
  pageOddities: {
    credentials: 'The address contains a user name or password. The site is only what is printed bold.',
    'mixed-script':
      'The name of the site mixes letters of different alphabets, which is how names are faked.',
    punycode:
      'The name of the site uses letters outside a to z. It may look like a name you know and be another.',
    port: 'The address names a port of its own. Well-known sites rarely do.',
  },
  pageObstacles: {
    unreadable: 'This is not a full address, so it cannot be opened.',
    scheme: 'This is not opened: only addresses that begin with https:// are.',
    'too-long': 'This address is too long to be checked by eye, so it is not opened.',
  },
  asksForSecret:
    'This seems to ask for something secret. Who asks can read what you enter here: leave passwords, keys and card numbers out.',
};
