import { useState } from 'react';
import { TRANSLATIONS } from '../articles/cell-values.ts';
import { storedTextOf } from '../articles/edits.ts';
import {
  type ArticleFieldsFragment,
  ArticleLanguagesDocument,
  type ArticleLanguagesQuery,
} from '../generated/graphql.ts';
import { Choice, Problem, ViewLink } from '../parts.tsx';
import { useAnswer, useShared } from '../shared.ts';

type Translation = NonNullable<NonNullable<ArticleLanguagesQuery['article']>['translations']>[number];

/** The text in another language, and the languages that are stale, each of which has a page of its own. */
export function Languages({ article: { articleId, languageCode } }: { article: ArticleFieldsFragment }) {
  const { versions, versionLanguage } = useShared();
  const [chosen, setChosen] = useState('');
  const { data, problem } = useAnswer(ArticleLanguagesDocument, { variables: { articleId, languageCode } });
  if (problem !== null) return <Problem text={problem} />;
  if (data === null) return <p>Loading…</p>;
  const translations = data.article?.translations ?? [];
  const version = versions.find(({ projectVersionId }) => projectVersionId === versionLanguage.projectVersionId);
  const mainCode = version?.languages?.find(({ isDefault }) => isDefault)?.code;
  const main = translations.find((translation) => translation.languageCode === mainCode);
  const others = translations.filter((translation) => translation.languageCode !== languageCode);
  const shown = others.find((translation) => translation.languageCode === chosen) ?? others[0];
  return (
    <>
      <ul aria-label="Languages">
        {translations.map((translation) => (
          <li key={translation.languageCode}>
            <ViewLink to={{ language: translation.languageCode }}>
              {translation.languageCode}: {translation.title}
            </ViewLink>{' '}
            <Freshness translation={translation} main={main} />
          </li>
        ))}
      </ul>
      {shown && (
        <>
          <Choice
            label="Text in"
            value={shown.languageCode}
            options={others.map(({ languageCode: code }) => [code, code] as const)}
            onChange={setChosen}
          />
          <textarea readOnly lang={shown.languageCode} aria-label="The other text" value={storedTextOf(shown)} />
        </>
      )}
    </>
  );
}

/** The time of the last change of a text. A version that was never changed has the time of its creation. */
const timeOf = ({ modifiedAt, createdAt }: Translation): number => Date.parse(modifiedAt ?? createdAt ?? '');

/** Shows why a translation is stale: its status says so, or the language that it is translated from was changed later. */
function Freshness({ translation, main }: { translation: Translation; main: Translation | undefined }) {
  if (translation === main) return <span className="hint">The others are translated from it.</span>;
  if (translation.translationStatus === 'NEEDS_TRANSLATION')
    return <span className="doubt">Stale: {TRANSLATIONS.NEEDS_TRANSLATION}</span>;
  const isOlder = main !== undefined && timeOf(translation) < timeOf(main);
  return (translation.isStale ?? isOlder) ? (
    <span className="doubt">Stale: {main?.languageCode} was changed later</span>
  ) : null;
}
