import { valueText } from '../articles/cell-values.ts';
import {
  type Edit,
  keyOf,
  MEMBER_NAMES,
  MEMBERS,
  type StoredArticle,
  storedTextOf,
  storedValueOf,
} from '../articles/edits.ts';
import { TextDiff } from '../changes/change-list.tsx';
import { Button } from '../parts.tsx';
import { useMade, useShared } from '../shared.ts';

interface NewerWriteProps {
  edit: Edit;
  stored: StoredArticle;
}

/** Shows what somebody else has written since the edit was begun: theirs, mine, and what both began from. */
export function NewerWrite({ edit, stored }: NewerWriteProps) {
  const { article: base, change } = edit;
  if (!('revision' in base) || !isNewer(base, stored)) return null;
  const began = storedTextOf(base);
  const texts = { base: began, theirs: storedTextOf(stored), mine: change.content ?? began };
  return (
    <section className="notice stack newer" aria-labelledby="newer">
      <h3 id="newer">Somebody else has changed this article since you began</h3>
      <Members edit={edit} stored={stored} />
      <Comparison name="Theirs" from={texts.base} to={texts.theirs} />
      <Comparison name="Mine" from={texts.base} to={texts.mine} />
      <details>
        <summary>The text as you began</summary>
        <pre className="plain-text">{texts.base}</pre>
      </details>
      <Choices edit={edit} stored={stored} texts={texts} />
    </section>
  );
}

/** Articles without a revision, as those that were never changed, are compared by what their pages show. */
function isNewer(base: StoredArticle, stored: StoredArticle): boolean {
  if (base.revision !== null) return base.revision !== stored.revision;
  const isSame = MEMBERS.every((member) => storedValueOf(base, member) === storedValueOf(stored, member));
  return !isSame || storedTextOf(base) !== storedTextOf(stored);
}

function Comparison({ name, from, to }: { name: string; from: string; to: string }) {
  return (
    <section aria-label={name}>
      <strong>{name}: </strong>
      {from === to ? 'the text as you began.' : <TextDiff from={from} to={to} />}
    </section>
  );
}

/** The members that either of both has changed. */
function Members({ edit: { article: base, change }, stored }: NewerWriteProps) {
  const { categories } = useShared();
  const rows = MEMBERS.flatMap((member) => {
    const name = MEMBER_NAMES[member];
    const began = storedValueOf(base, member);
    const theirs = storedValueOf(stored, member);
    const mine = change[member];
    if (began === theirs && mine === undefined) return [];
    const texts = [theirs, mine, began].map((value) => valueText(member, value, categories));
    return [{ name, texts: mine === undefined ? texts.with(1, 'unchanged') : texts }];
  });
  if (rows.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          {['', 'Theirs', 'Mine', 'As you began'].map((name) => (
            <th key={name} scope="col">
              {name || <span className="unseen">Member</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, texts }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {[...texts.entries()].map(([index, text]) => (
              <td key={index}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ChoicesProps extends NewerWriteProps {
  texts: { readonly base: string; readonly theirs: string; readonly mine: string };
}

function Choices({ edit, stored, texts }: ChoicesProps) {
  const { actions } = useShared();
  const { mine, theirs } = texts;
  const both = useMade({ kind: 'rebase', ...texts });
  const keep = (text: string) =>
    actions.rebase(stored, { ...edit.change, content: text === theirs ? undefined : text });
  return (
    <div className="inline">
      <Button onClick={() => actions.drop([keyOf(stored)])}>Take theirs</Button>
      {both === undefined && <span className="hint">Comparing…</span>}
      {typeof both === 'string' && (
        <Button className="primary" onClick={() => keep(both)}>
          Keep mine on top of theirs
        </Button>
      )}
      {both === null && (
        <>
          <Button onClick={() => keep(mine)}>Keep my text in place of theirs</Button>
          <span className="hint">Both change the same lines.</span>
        </>
      )}
    </div>
  );
}
