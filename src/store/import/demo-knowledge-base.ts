import type { WholeReaderGroupUpdate } from '../../core/reader-groups/reader-group-updates.ts';
import type { ImportedArticle, ImportedVersion, KnowledgeBase } from '../knowledge-base/format.ts';

/** The first version of an article in a language. The default is published English. */
const demoText =
  (lang_code: string, userId: string) =>
  (title: string, content: string, differences: Partial<ImportedVersion> = {}): ImportedVersion => ({
    lang_code,
    version_number: 1,
    title,
    content,
    translation_option: lang_code === 'en' ? '0' : '2',
    status: 3,
    created_at: '2026-03-02T09:00:00.000Z',
    created_by: userId,
    authors: [userId],
    ...differences,
  });

const en = demoText('en', 'team-ines');
const de = demoText('de', 'team-jonas');

/** Articles of a category of the newer project version, in their order. Their IDs are also their slugs. */
const demoArticles = (
  category_id: string,
  articles: Readonly<Record<string, readonly ImportedVersion[]>>,
  differences: Partial<ImportedArticle> = {},
): readonly ImportedArticle[] =>
  Object.entries(articles).map(([id, versions], index) => ({
    id,
    project_version_id: 'fernlight-2',
    category_id,
    slug: id,
    order: index + 1,
    hidden: false,
    content_type: 'markdown',
    url: `https://fernlight.example.com/docs/${id}`,
    public_version: Object.fromEntries(
      versions.filter(({ status }) => status === 3).map((version) => [version.lang_code, version.version_number]),
    ),
    versions,
    ...differences,
  }));

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

const demoLanguages = (project_version_id: string, names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([code, name]) => ({ project_version_id, code, name, is_default: code === 'en' }));

/** A group without members, unless some are given. */
const demoGroup = (
  group: Pick<WholeReaderGroupUpdate, 'groupId' | 'title' | 'accessScope'> & Partial<WholeReaderGroupUpdate>,
): WholeReaderGroupUpdate => ({ description: null, readerIds: [], invitedSsoUserIds: [], ...group });

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
    ...demoLanguages('fernlight-2', { en: 'English', de: 'German' }),
    ...demoLanguages('fernlight-1', { en: 'English', de: 'German' }),
  ],
  categories: [
    demoCategory('first-steps', 'First steps', { order: 1 }),
    demoCategory('daily-use', 'Daily use', { order: 2 }),
    demoCategory('rooms', 'Rooms', { order: 1, parent: 'daily-use' }),
    demoCategory('scenes', 'Scenes', { order: 2, parent: 'daily-use' }),
    demoCategory('troubleshooting', 'Troubleshooting', { order: 3 }),
    { ...demoCategory('classic', 'The classic hub', { order: 1 }), project_version_id: 'fernlight-1' },
  ],
  team_accounts: [
    { user_id: 'team-ines', first_name: 'Ines', last_name: 'Moreau' },
    { user_id: 'team-jonas', first_name: 'Jonas', last_name: 'Weber' },
    { user_id: 'team-kira', first_name: 'Kira', last_name: 'Tanaka' },
  ],
  articles: [
    ...demoArticles('first-steps', {
      'unpack-the-hub': [
        en('Unpack the hub', '# Unpack the hub\n\nIn the box: one hub, one cable, one card with the pairing code.\n'),
        de(
          'Den Hub auspacken',
          '# Den Hub auspacken\n\nIm Karton: ein Hub, ein Kabel, eine Karte mit dem Kopplungscode.\n',
        ),
        {
          ...en(
            'Unpack your hub',
            '# Unpack your hub\n\nIn the box: one hub, one cable, and one card with the pairing code. Keep the card.\n',
            { status: 0, created_at: '2026-05-18T14:30:00.000Z', authors: ['team-ines', 'team-kira'] },
          ),
          version_number: 2,
        },
      ],
      'pair-a-lamp': [
        en(
          'Pair a lamp',
          '# Pair a lamp\n\n1. Switch the lamp off and on three times.\n2. Hold the hub near it.\n3. Wait for green.\n',
          { description: 'How a lamp and the hub find each other', authors: ['team-kira', 'team-ines'] },
        ),
        de(
          'Eine Lampe koppeln',
          '# Eine Lampe koppeln\n\n1. Dreimal aus- und einschalten.\n2. Den Hub daneben halten.\n3. Auf Grün warten.\n',
          { status: 0 },
        ),
      ],
      'what-the-lights-mean': [
        en('What the lights on the hub mean', 'Green: all is well. Amber: an update runs. Red: no network.\n'),
      ],
    }),
    ...demoArticles('rooms', {
      'name-your-rooms': [en('Name your rooms', 'Give each room a name that everybody at home uses.\n')],
      'move-a-lamp': [en('Move a lamp to another room', 'Drag the lamp onto the room. It keeps its scenes.\n')],
    }),
    ...demoArticles(
      'scenes',
      {
        'evening-scene': [
          en('Make an evening scene', '<p>Dim the lamps as you like them, then choose <b>Keep as scene</b>.</p>'),
          de(
            'Eine Abendszene anlegen',
            '<p>Die Lampen dimmen, wie es gefällt, dann <b>Als Szene behalten</b> wählen.</p>',
          ),
        ],
      },
      { content_type: 'wysiwyg' },
    ),
    ...demoArticles(
      'scenes',
      {
        'wake-up-light': [en('A wake-up light', 'A scene can begin slowly: set *Fade* to twenty minutes.\n')],
      },
      { order: 2 },
    ),
    ...demoArticles(
      'daily-use',
      {
        'holiday-mode': [
          en('Holiday mode (draft)', 'While you are away, the hub plays back last week.\n', { status: 0 }),
        ],
      },
      { order: null, hidden: true, content_type: 'block' },
    ),
    ...demoArticles('troubleshooting', {
      'no-network': [en('The hub finds no network', '1. Check the cable.\n2. Wait two minutes.\n3. Press *Reset*.\n')],
      'factory-reset': [en('Reset to factory settings', 'Hold *Reset* for ten seconds. **All scenes are lost.**\n')],
    }),
    ...demoArticles(
      'classic',
      {
        'classic-end-of-life': [en('How long the classic hub is looked after', 'Repairs: five years. Updates: two.\n')],
      },
      { project_version_id: 'fernlight-1' },
    ),
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
    demoGroup({
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
    }),
    demoGroup({
      groupId: 'staff',
      title: 'Staff',
      readerIds: ['reader-ada', 'reader-dana'],
      invitedSsoUserIds: ['invitation-hugo'],
      accessScope: { level: 'PROJECT' },
    }),
    demoGroup({
      groupId: 'classic-owners',
      title: 'Owners of the classic hub',
      readerIds: ['reader-emi'],
      accessScope: { level: 'VERSION', projectVersionIds: ['fernlight-1'] },
    }),
    demoGroup({
      groupId: 'german-readers',
      title: 'German readers',
      description: 'Both manuals in German',
      readerIds: ['reader-bo', 'reader-farid'],
      accessScope: {
        level: 'LANGUAGE',
        languages: [
          { projectVersionId: 'fernlight-2', languageCode: 'de' },
          { projectVersionId: 'fernlight-1', languageCode: 'de' },
        ],
      },
    }),
    demoGroup({
      groupId: 'reviewers',
      title: 'Reviewers',
      description: 'Read single articles that they are asked about',
      readerIds: ['reader-chidi', 'reader-emi'],
      invitedSsoUserIds: ['invitation-greta', 'invitation-hugo'],
      accessScope: { level: 'ARTICLE' },
    }),
    demoGroup({
      groupId: 'former-testers',
      title: 'Former testers',
      readerIds: ['reader-farid'],
      accessScope: { level: 'NONE' },
    }),
    demoGroup({
      groupId: 'partners',
      title: 'Partners',
      invitedSsoUserIds: ['invitation-hugo'],
      accessScope: { level: 'LEVEL_6' },
    }),
  ],
};
