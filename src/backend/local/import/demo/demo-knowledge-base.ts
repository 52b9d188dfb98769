import type { KnowledgeBase } from '../../../../knowledge-base/knowledge-base.ts';
import { demoArticles } from './demo-articles.ts';
import { demoCategory, demoLanguage, demoReader } from './demo-entries.ts';

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
