import { useState } from 'react';
import { valueText } from '../articles/cell-values.ts';
import { type Edit, isMember, keyOf, MEMBER_NAMES, storedTextOf, storedValueOf } from '../articles/edits.ts';
import { outcomeText } from '../articles/outcome-text.ts';
import { type ArticleFieldsFragment, type ArticleTextFragment, CurrentArticleDocument } from '../generated/graphql.ts';
import { Button, Pane, Problem } from '../parts.tsx';
import { KIND_NAMES } from '../publication/publication.tsx';
import { useAnswer, useShared } from '../shared.ts';

/** The most changes that are shown. Others follow once these are resolved. */
const MOST_SHOWN = 100;

/** Changes without an answer, with the ways to resolve each. */
export function Unknown() {
  const { work } = useShared();
  const [readings, setReadings] = useState(0);
  const readAll = <Button onClick={() => setReadings(readings + 1)}>Read all</Button>;
  return (
    <Pane title={`${work.unknown.size} with an unknown outcome`} beside={readAll}>
      <p className="bar">
        There was no answer for these: each may have been written, or not. Read the article now. If it is as you wanted
        it, there is nothing left to do; if not, the change may still arrive for a moment, so look once more before you
        do it again.
      </p>
      <ul aria-label="Unknown outcomes" className="scroll cards">
        {[...work.unknown].slice(0, MOST_SHOWN).map(([key, edit]) => (
          <li key={key}>
            <UnknownItem edit={edit} readings={readings} />
          </li>
        ))}
      </ul>
      {work.unknown.size > MOST_SHOWN && (
        <p className="bar">And {work.unknown.size - MOST_SHOWN} more, once these are done.</p>
      )}
    </Pane>
  );
}

type Current = ArticleFieldsFragment & ArticleTextFragment;

interface UnknownItemProps {
  edit: Edit;
  /** How often all of them were to be read. */
  readings: number;
}

function UnknownItem({ edit, readings }: UnknownItemProps) {
  const { work, actions, publish } = useShared();
  const { article, aim } = edit;
  const [ownReadings, setOwnReadings] = useState(0);
  const title = article.title || article.articleId;
  const key = keyOf(article);
  const outcome = work.outcomes.get(key)?.outcome;
  const { articleId, languageCode } = article;
  const version = readings + ownReadings;
  const variables = version > 0 ? { articleId, languageCode } : null;
  const { data, problem } = useAnswer(CurrentArticleDocument, { variables, version });
  const current = data?.article ?? null;
  return (
    <>
      <p>
        <strong>{title}</strong> {outcome && <span className="doubt">{outcomeText(outcome).text}</span>}
      </p>
      {comparisonOf(edit, current).map(({ name, wanted, now, isSame }) => (
        <p key={name}>
          {name}: you wanted <ins>{wanted}</ins>
          {now !== null &&
            (isSame ? (
              <span className="good"> and it is so.</span>
            ) : (
              <span className="bad"> and it is {now || 'empty'}.</span>
            ))}
        </p>
      ))}
      {aim === 'undo' && (
        <p>You wanted to undo a job. Undo it once more under Jobs: what is put back already stays as it is.</p>
      )}
      <Problem text={problem ?? (data && !current ? 'The article does not exist.' : null)} />
      <p className="inline">
        <Button aria-label={`Read it now: ${title}`} onClick={() => setOwnReadings(ownReadings + 1)}>
          Read it now
        </Button>
        {current && (aim === 'publish' || aim === 'unpublish') && (
          <Button
            onClick={() => {
              actions.resolveUnknown(key, null);
              publish({ kind: aim, articles: [current] });
            }}
          >
            {KIND_NAMES[aim]} it again…
          </Button>
        )}
        {current && !aim && (
          <Button onClick={() => actions.resolveUnknown(key, { ...edit, article: current })}>
            Put it back among the changes
          </Button>
        )}
        <Button aria-label={`Nothing left to do: ${title}`} onClick={() => actions.resolveUnknown(key, null)}>
          Nothing left to do
        </Button>
      </p>
    </>
  );
}

/** The requested change of an article, next to its current values once they are read. */
function comparisonOf({ change, aim }: Edit, current: Current | null) {
  const members = Object.entries(change).map(([member, wanted]) => {
    if (!isMember(member)) {
      const isSame = current !== null && storedTextOf(current) === wanted;
      return { name: 'Text', wanted: 'the changed text', now: current && 'another text', isSame };
    }
    const now = current && storedValueOf(current, member);
    const texts = { wanted: valueText(member, wanted, []), now: current && valueText(member, now, []) };
    return { name: MEMBER_NAMES[member], ...texts, isSame: now === wanted };
  });
  if (aim !== 'publish' && aim !== 'unpublish') return members;
  const now = current && String(current.publicVersionNumber ?? 'none');
  const wanted = aim === 'unpublish' ? 'none' : String(current?.latestVersionNumber ?? 'the latest');
  return [{ name: 'Public version', wanted, now, isSame: now === wanted }, ...members];
}
