import type { KnowledgeBase } from '../../../../knowledge-base/knowledge-base.ts';
import { demoArticles } from './demo-articles.ts';
import { category, language, reader } from './demo-entries.ts';

/**
 * What an empty store is filled with, so that there is something to try a query on: the manual of Fernlight, a lighting
 * hub that does not exist. There is a group of every access level, and more of them than the service lists at once.
 */
export const demoKnowledgeBase: KnowledgeBase = {
  projectVersions: [
    { projectVersionId: 'fernlight-2', name: 'Fernlight 2', isDefault: true },
    { projectVersionId: 'fernlight-1', name: 'Fernlight Classic', isDefault: false },
  ],
  languages: [
    language('fernlight-2', 'en', 'English'),
    language('fernlight-2', 'de', 'German'),
    language('fernlight-2', 'fr', 'French'),
    language('fernlight-1', 'en', 'English'),
    language('fernlight-1', 'de', 'German'),
  ],
  categories: [
    category('first-steps', 'First steps', { order: 1 }),
    category('daily-use', 'Daily use', { order: 2 }),
    category('rooms', 'Rooms', { order: 1, parent: 'daily-use' }),
    category('scenes', 'Scenes', { order: 2, parent: 'daily-use' }),
    category('troubleshooting', 'Troubleshooting', { order: 3 }),
    { ...category('classic', 'The classic hub', { order: 1 }), projectVersionId: 'fernlight-1' },
  ],
  articles: demoArticles,
  readers: [
    reader('Ada', 'Fern'),
    reader('Bo', 'Lindqvist'),
    reader('Chidi', 'Okafor'),
    reader('Dana', 'Novak'),
    reader('Emi', 'Sato'),
    reader('Farid', 'Haddad'),
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
