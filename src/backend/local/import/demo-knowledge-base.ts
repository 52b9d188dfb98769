import type { ImportedArticle, ImportedVersion, KnowledgeBase } from '../../../knowledge-base/knowledge-base.ts';

type Text = Pick<ImportedVersion, 'title' | 'content'>;

/** The first version of an article in its default language, and its translations. */
const demoTexts = (english: Text, translations: Readonly<Record<string, Text>> = {}): readonly ImportedVersion[] => [
  { languageCode: 'en', versionNumber: 1, translationStatus: 'NONE', ...english },
  ...Object.entries(translations).map(
    ([languageCode, text]): ImportedVersion => ({
      languageCode,
      versionNumber: 1,
      translationStatus: 'TRANSLATED',
      ...text,
    }),
  ),
];

/** Most articles of the demo belong to its newer project version. Every slug is the ID. */
const demoArticle = (
  entry: Pick<ImportedArticle, 'articleId' | 'categoryId' | 'order' | 'versions'> & Partial<ImportedArticle>,
): ImportedArticle => ({
  projectVersionId: 'fernlight-2',
  slug: entry.articleId,
  hidden: false,
  contentType: 'MARKDOWN',
  ...entry,
});

const demoCategory = (
  categoryId: string,
  name: string,
  position: { readonly order: number; readonly parent?: string },
) => ({
  categoryId,
  projectVersionId: 'fernlight-2',
  parentCategoryId: position.parent ?? null,
  name,
  order: position.order,
});

const demoReader = (firstName: string, lastName: string) => ({
  readerId: `reader-${firstName.toLowerCase()}`,
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}@example.com`,
});

const demoLanguage = (projectVersionId: string, code: string, name: string) => ({
  projectVersionId,
  code,
  name,
  isDefault: code === 'en',
});

const firstSteps: readonly ImportedArticle[] = [
  demoArticle({
    articleId: 'unpack-the-hub',
    categoryId: 'first-steps',
    order: 1,
    versions: [
      ...demoTexts(
        {
          title: 'Unpack the hub',
          content: '# Unpack the hub\n\nIn the box: one hub, one cable, one card with the pairing code.\n',
        },
        {
          de: {
            title: 'Den Hub auspacken',
            content: '# Den Hub auspacken\n\nIm Karton: ein Hub, ein Kabel, eine Karte mit dem Kopplungscode.\n',
          },
          fr: {
            title: 'Déballer le hub',
            content: '# Déballer le hub\n\nDans la boîte : un hub, un câble, une carte avec le code d’appairage.\n',
          },
        },
      ),
      {
        languageCode: 'en',
        versionNumber: 2,
        title: 'Unpack your hub',
        content:
          '# Unpack your hub\n\nIn the box: one hub, one cable, and one card with the pairing code. Keep the card.\n',
        translationStatus: 'NONE',
      },
    ],
  }),
  demoArticle({
    articleId: 'pair-a-lamp',
    categoryId: 'first-steps',
    order: 2,
    versions: demoTexts(
      {
        title: 'Pair a lamp',
        content:
          '# Pair a lamp\n\n1. Switch the lamp off and on three times.\n2. Hold the hub near it.\n3. Wait for green.\n',
      },
      {
        de: {
          title: 'Eine Lampe koppeln',
          content:
            '# Eine Lampe koppeln\n\n1. Dreimal aus- und einschalten.\n2. Den Hub daneben halten.\n3. Auf Grün warten.\n',
        },
        fr: {
          title: 'Appairer une lampe',
          content:
            '# Appairer une lampe\n\n1. Éteindre et rallumer trois fois.\n2. Approcher le hub.\n3. Attendre le vert.\n',
        },
      },
    ),
  }),
  demoArticle({
    articleId: 'what-the-lights-mean',
    categoryId: 'first-steps',
    order: 3,
    versions: demoTexts(
      {
        title: 'What the lights on the hub mean',
        content:
          '| light | meaning |\n|---|---|\n| green | all is well |\n| amber | an update runs |\n| red | no network |\n',
      },
      {
        de: {
          title: 'Was die Lichter am Hub bedeuten',
          content:
            '| Licht | Bedeutung |\n|---|---|\n| grün | alles gut |\n| gelb | ein Update läuft |\n| rot | kein Netz |\n',
        },
      },
    ),
  }),
];

const daily: readonly ImportedArticle[] = [
  demoArticle({
    articleId: 'name-your-rooms',
    categoryId: 'rooms',
    order: 1,
    versions: demoTexts(
      { title: 'Name your rooms', content: 'Give each room a name that everybody at home uses.\n' },
      { fr: { title: 'Nommer les pièces', content: 'Donnez à chaque pièce un nom que tout le monde emploie.\n' } },
    ),
  }),
  demoArticle({
    articleId: 'move-a-lamp',
    categoryId: 'rooms',
    order: 2,
    versions: demoTexts({
      title: 'Move a lamp to another room',
      content: 'Drag the lamp onto the room. It keeps its scenes.\n',
    }),
  }),
  demoArticle({
    articleId: 'evening-scene',
    categoryId: 'scenes',
    order: 1,
    contentType: 'WYSIWYG',
    versions: demoTexts(
      {
        title: 'Make an evening scene',
        content: '<p>Dim the lamps as you like them, then choose <b>Keep as scene</b>.</p>',
      },
      {
        de: {
          title: 'Eine Abendszene anlegen',
          content: '<p>Die Lampen dimmen, wie es gefällt, dann <b>Als Szene behalten</b> wählen.</p>',
        },
      },
    ),
  }),
  demoArticle({
    articleId: 'wake-up-light',
    categoryId: 'scenes',
    order: 2,
    versions: demoTexts({
      title: 'A wake-up light',
      content: 'A scene can begin slowly: set *Fade* to twenty minutes.\n',
    }),
  }),
  demoArticle({
    articleId: 'holiday-mode',
    categoryId: 'daily-use',
    order: null,
    hidden: true,
    contentType: 'BLOCK',
    versions: demoTexts({
      title: 'Holiday mode (draft)',
      content: 'While you are away, the hub plays back last week.\n',
    }),
  }),
];

const care: readonly ImportedArticle[] = [
  demoArticle({
    articleId: 'no-network',
    categoryId: 'troubleshooting',
    order: 1,
    versions: demoTexts(
      {
        title: 'The hub finds no network',
        content: '1. Check the cable.\n2. Wait two minutes.\n3. Press *Reset* for a second.\n',
      },
      {
        de: {
          title: 'Der Hub findet kein Netz',
          content: '1. Kabel prüfen.\n2. Zwei Minuten warten.\n3. Kurz *Reset* drücken.\n',
        },
        fr: { title: 'Le hub ne trouve pas le réseau', content: '1. Vérifier le câble.\n2. Attendre deux minutes.\n' },
      },
    ),
  }),
  demoArticle({
    articleId: 'factory-reset',
    categoryId: 'troubleshooting',
    order: 2,
    versions: demoTexts({
      title: 'Reset to factory settings',
      content: 'Hold *Reset* for ten seconds. **All scenes are lost.**\n',
    }),
  }),
  demoArticle({
    articleId: 'classic-pairing',
    projectVersionId: 'fernlight-1',
    categoryId: 'classic',
    order: 1,
    versions: demoTexts(
      { title: 'Pair a lamp with the classic hub', content: 'Turn the wheel to P and press it until it clicks.\n' },
      {
        de: {
          title: 'Eine Lampe am klassischen Hub koppeln',
          content: 'Das Rad auf P drehen und bis zum Klick drücken.\n',
        },
      },
    ),
  }),
  demoArticle({
    articleId: 'classic-end-of-life',
    projectVersionId: 'fernlight-1',
    categoryId: 'classic',
    order: 2,
    versions: demoTexts({
      title: 'How long the classic hub is looked after',
      content: 'Repairs: five years. Updates: two.\n',
    }),
  }),
];

const demoArticles: readonly ImportedArticle[] = [...firstSteps, ...daily, ...care];

/**
 * The entries of a new store, for first queries: the manual of Fernlight, an invented lighting hub. It has a group of
 * every access level, and more groups than a page of the service.
 */
export const demoKnowledgeBase: KnowledgeBase = {
  projectVersions: [
    { projectVersionId: 'fernlight-2', name: 'Fernlight 2', isDefault: true },
    { projectVersionId: 'fernlight-1', name: 'Fernlight Classic', isDefault: false },
  ],
  languages: [
    demoLanguage('fernlight-2', 'en', 'English'),
    demoLanguage('fernlight-2', 'de', 'German'),
    demoLanguage('fernlight-2', 'fr', 'French'),
    demoLanguage('fernlight-1', 'en', 'English'),
    demoLanguage('fernlight-1', 'de', 'German'),
  ],
  categories: [
    demoCategory('first-steps', 'First steps', { order: 1 }),
    demoCategory('daily-use', 'Daily use', { order: 2 }),
    demoCategory('rooms', 'Rooms', { order: 1, parent: 'daily-use' }),
    demoCategory('scenes', 'Scenes', { order: 2, parent: 'daily-use' }),
    demoCategory('troubleshooting', 'Troubleshooting', { order: 3 }),
    { ...demoCategory('classic', 'The classic hub', { order: 1 }), projectVersionId: 'fernlight-1' },
  ],
  articles: demoArticles,
  readers: [
    demoReader('Ada', 'Fern'),
    demoReader('Bo', 'Lindqvist'),
    demoReader('Chidi', 'Okafor'),
    demoReader('Dana', 'Novak'),
    demoReader('Emi', 'Sato'),
    demoReader('Farid', 'Haddad'),
  ],
  invitedSsoUsers: [
    { invitationId: 'invitation-greta', email: 'greta@example.net' },
    { invitationId: 'invitation-hugo', email: 'hugo@example.net' },
  ],
  readerGroups: [
    {
      groupId: 'installers',
      title: 'Installers',
      description: 'People who set up hubs for others',
      readerIds: ['reader-ada', 'reader-bo', 'reader-chidi'],
      invitedSsoUserIds: ['invitation-greta'],
      accessScope: {
        level: 'CATEGORY',
        categories: [
          { projectVersionId: 'fernlight-2', categoryId: 'first-steps', languageCode: 'en' },
          { projectVersionId: 'fernlight-2', categoryId: 'troubleshooting', languageCode: 'en' },
        ],
      },
    },
    {
      groupId: 'staff',
      title: 'Staff',
      description: null,
      readerIds: ['reader-ada', 'reader-dana'],
      invitedSsoUserIds: ['invitation-hugo'],
      accessScope: { level: 'PROJECT' },
    },
    {
      groupId: 'classic-owners',
      title: 'Owners of the classic hub',
      description: null,
      readerIds: ['reader-emi'],
      invitedSsoUserIds: [],
      accessScope: { level: 'VERSION', projectVersionIds: ['fernlight-1'] },
    },
    {
      groupId: 'german-readers',
      title: 'German readers',
      description: 'Both manuals in German',
      readerIds: ['reader-bo', 'reader-farid'],
      invitedSsoUserIds: [],
      accessScope: {
        level: 'LANGUAGE',
        languages: [
          { projectVersionId: 'fernlight-2', languageCode: 'de' },
          { projectVersionId: 'fernlight-1', languageCode: 'de' },
        ],
      },
    },
    {
      groupId: 'reviewers',
      title: 'Reviewers',
      description: 'Read single articles that they are asked about',
      readerIds: ['reader-chidi', 'reader-emi'],
      invitedSsoUserIds: ['invitation-greta', 'invitation-hugo'],
      accessScope: { level: 'ARTICLE' },
    },
    {
      groupId: 'former-testers',
      title: 'Former testers',
      description: null,
      readerIds: ['reader-farid'],
      invitedSsoUserIds: [],
      accessScope: { level: 'NONE' },
    },
    {
      groupId: 'partners',
      title: 'Partners',
      description: null,
      readerIds: [],
      invitedSsoUserIds: ['invitation-hugo'],
      accessScope: { level: 'LEVEL_6' },
    },
  ],
};
