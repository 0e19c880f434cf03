import type { ElicitationLabels } from '../../src/components/text/elicitation-labels.ts';

export const germanElicitationLabels: ElicitationLabels = {
  serverAsks: (server) => `„${server}“ fragt`,
  pageAddress: 'Adresse der Seite',
  pageHint: 'Sie öffnet sich in einem neuen Tab. Was du dort eingibst, ist von hier aus nicht zu sehen.',
  openPage: 'Seite öffnen',
  openPageAgain: 'Noch einmal öffnen',
  pageOpened: 'Die Seite wurde in einem neuen Tab geöffnet. Komm zurück, wenn du dort fertig bist.',
  pageDone: 'Ich bin fertig',
  urlWarnings: {
    credentials:
      'Die Adresse enthält einen Benutzernamen oder ein Passwort. Die Seite ist nur, was fett gedruckt ist.',
    punycode:
      'Der Name der Seite hat Buchstaben außerhalb von a bis z. Er kann bekannt aussehen und ein anderer sein.',
    port: 'Die Adresse nennt einen eigenen Port. Bekannte Seiten tun das selten.',
  },
  urlBlockReasons: {
    unreadable: 'Das ist keine vollständige Adresse und lässt sich nicht öffnen.',
    scheme: 'Das wird nicht geöffnet: nur Adressen, die mit https:// beginnen.',
    'too-long': 'Diese Adresse ist zu lang, um sie zu prüfen. Sie wird nicht geöffnet.',
  },
  asksForSecret:
    'Hier scheint nach etwas Geheimem gefragt zu werden. Wer fragt, liest mit: bitte keine Passwörter, Schlüssel oder Kartennummern.',
};
