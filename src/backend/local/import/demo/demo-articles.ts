import type { ImportedArticle } from '../../../../knowledge-base/knowledge-base.ts';
import { demoArticle, demoTexts } from './demo-entries.ts';

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

export const demoArticles: readonly ImportedArticle[] = [...firstSteps, ...daily, ...care];
