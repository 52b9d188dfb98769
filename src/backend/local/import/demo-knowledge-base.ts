import type { ImportedArticle, ImportedVersion, KnowledgeBase } from '../../../knowledge-base/format.ts';

/** The first version of an article in a language. English is the default one. */
const demoText =
  (lang_code: string) =>
  (title: string, content: string): ImportedVersion => ({
    lang_code,
    version_number: 1,
    title,
    content,
    translation_option: lang_code === 'en' ? '0' : '2',
  });

const en = demoText('en');
const de = demoText('de');
const fr = demoText('fr');

/** Most articles of the demo belong to its newer project version. Every slug is the ID. */
const demoArticle = (
  entry: Pick<ImportedArticle, 'id' | 'category_id' | 'order' | 'versions'> & Partial<ImportedArticle>,
): ImportedArticle => ({
  project_version_id: 'fernlight-2',
  slug: entry.id,
  hidden: false,
  content_type: 'markdown',
  ...entry,
});

const demoCategory = (id: string, name: string, position: { readonly order: number; readonly parent?: string }) => ({
  id,
  project_version_id: 'fernlight-2',
  parent_category_id: position.parent ?? null,
  name,
  order: position.order,
});

const demoReader = (first_name: string, last_name: string) => ({
  reader_id: `reader-${first_name.toLowerCase()}`,
  first_name,
  last_name,
  email: `${first_name.toLowerCase()}@example.com`,
});

const demoLanguage = (project_version_id: string, code: string, name: string) => ({
  project_version_id,
  code,
  name,
  is_default: code === 'en',
});

/**
 * The entries of a new store, for first queries: the manual of Fernlight, an invented lighting hub. It has a group of
 * every access level, and more groups than a page of the service.
 */
export const demoKnowledgeBase: KnowledgeBase = {
  project_versions: [
    { id: 'fernlight-2', name: 'Fernlight 2', is_default: true },
    { id: 'fernlight-1', name: 'Fernlight Classic', is_default: false },
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
    { ...demoCategory('classic', 'The classic hub', { order: 1 }), project_version_id: 'fernlight-1' },
  ],
  articles: [
    demoArticle({
      id: 'unpack-the-hub',
      category_id: 'first-steps',
      order: 1,
      versions: [
        en('Unpack the hub', '# Unpack the hub\n\nIn the box: one hub, one cable, one card with the pairing code.\n'),
        de(
          'Den Hub auspacken',
          '# Den Hub auspacken\n\nIm Karton: ein Hub, ein Kabel, eine Karte mit dem Kopplungscode.\n',
        ),
        fr(
          'Déballer le hub',
          '# Déballer le hub\n\nDans la boîte : un hub, un câble, une carte avec le code d’appairage.\n',
        ),
        {
          ...en(
            'Unpack your hub',
            '# Unpack your hub\n\nIn the box: one hub, one cable, and one card with the pairing code. Keep the card.\n',
          ),
          version_number: 2,
        },
      ],
    }),
    demoArticle({
      id: 'pair-a-lamp',
      category_id: 'first-steps',
      order: 2,
      versions: [
        en(
          'Pair a lamp',
          '# Pair a lamp\n\n1. Switch the lamp off and on three times.\n2. Hold the hub near it.\n3. Wait for green.\n',
        ),
        de(
          'Eine Lampe koppeln',
          '# Eine Lampe koppeln\n\n1. Dreimal aus- und einschalten.\n2. Den Hub daneben halten.\n3. Auf Grün warten.\n',
        ),
        fr(
          'Appairer une lampe',
          '# Appairer une lampe\n\n1. Éteindre et rallumer trois fois.\n2. Approcher le hub.\n3. Attendre le vert.\n',
        ),
      ],
    }),
    demoArticle({
      id: 'what-the-lights-mean',
      category_id: 'first-steps',
      order: 3,
      versions: [
        en(
          'What the lights on the hub mean',
          '| light | meaning |\n|---|---|\n| green | all is well |\n| amber | an update runs |\n| red | no network |\n',
        ),
        de(
          'Was die Lichter am Hub bedeuten',
          '| Licht | Bedeutung |\n|---|---|\n| grün | alles gut |\n| gelb | ein Update läuft |\n| rot | kein Netz |\n',
        ),
      ],
    }),
    demoArticle({
      id: 'name-your-rooms',
      category_id: 'rooms',
      order: 1,
      versions: [
        en('Name your rooms', 'Give each room a name that everybody at home uses.\n'),
        fr('Nommer les pièces', 'Donnez à chaque pièce un nom que tout le monde emploie.\n'),
      ],
    }),
    demoArticle({
      id: 'move-a-lamp',
      category_id: 'rooms',
      order: 2,
      versions: [en('Move a lamp to another room', 'Drag the lamp onto the room. It keeps its scenes.\n')],
    }),
    demoArticle({
      id: 'evening-scene',
      category_id: 'scenes',
      order: 1,
      content_type: 'wysiwyg',
      versions: [
        en('Make an evening scene', '<p>Dim the lamps as you like them, then choose <b>Keep as scene</b>.</p>'),
        de(
          'Eine Abendszene anlegen',
          '<p>Die Lampen dimmen, wie es gefällt, dann <b>Als Szene behalten</b> wählen.</p>',
        ),
      ],
    }),
    demoArticle({
      id: 'wake-up-light',
      category_id: 'scenes',
      order: 2,
      versions: [en('A wake-up light', 'A scene can begin slowly: set *Fade* to twenty minutes.\n')],
    }),
    demoArticle({
      id: 'holiday-mode',
      category_id: 'daily-use',
      order: null,
      hidden: true,
      content_type: 'block',
      versions: [en('Holiday mode (draft)', 'While you are away, the hub plays back last week.\n')],
    }),
    demoArticle({
      id: 'no-network',
      category_id: 'troubleshooting',
      order: 1,
      versions: [
        en('The hub finds no network', '1. Check the cable.\n2. Wait two minutes.\n3. Press *Reset* for a second.\n'),
        de('Der Hub findet kein Netz', '1. Kabel prüfen.\n2. Zwei Minuten warten.\n3. Kurz *Reset* drücken.\n'),
        fr('Le hub ne trouve pas le réseau', '1. Vérifier le câble.\n2. Attendre deux minutes.\n'),
      ],
    }),
    demoArticle({
      id: 'factory-reset',
      category_id: 'troubleshooting',
      order: 2,
      versions: [en('Reset to factory settings', 'Hold *Reset* for ten seconds. **All scenes are lost.**\n')],
    }),
    demoArticle({
      id: 'classic-pairing',
      project_version_id: 'fernlight-1',
      category_id: 'classic',
      order: 1,
      versions: [
        en('Pair a lamp with the classic hub', 'Turn the wheel to P and press it until it clicks.\n'),
        de('Eine Lampe am klassischen Hub koppeln', 'Das Rad auf P drehen und bis zum Klick drücken.\n'),
      ],
    }),
    demoArticle({
      id: 'classic-end-of-life',
      project_version_id: 'fernlight-1',
      category_id: 'classic',
      order: 2,
      versions: [en('How long the classic hub is looked after', 'Repairs: five years. Updates: two.\n')],
    }),
  ],
  readers: [
    demoReader('Ada', 'Fern'),
    demoReader('Bo', 'Lindqvist'),
    demoReader('Chidi', 'Okafor'),
    demoReader('Dana', 'Novak'),
    demoReader('Emi', 'Sato'),
    demoReader('Farid', 'Haddad'),
  ],
  invited_sso_users: [
    { invitation_id: 'invitation-greta', email: 'greta@example.net' },
    { invitation_id: 'invitation-hugo', email: 'hugo@example.net' },
  ],
  reader_groups: [
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
