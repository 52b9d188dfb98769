import { useId } from 'react';
import { type ArticleChange, type ArticleDraft, isSendable, orderIssue } from './article-drafts.ts';
import type { Option } from './choices.ts';
import type { ArticleFieldsFragment } from './generated/graphql.ts';

interface ArticleTableProps {
  articles: readonly ArticleFieldsFragment[];
  drafts: readonly ArticleDraft[];
  categories: readonly Option<string>[];
  onToggle: (article: ArticleFieldsFragment) => void;
  onEdit: (draft: ArticleDraft, change: ArticleChange) => void;
}

export function ArticleTable({ articles, drafts, categories, onToggle, onEdit }: ArticleTableProps) {
  if (articles.length === 0) return null;
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Selected</span>
            </th>
            <th scope="col">Title</th>
            <th scope="col">Category</th>
            <th scope="col">Hidden</th>
            <th scope="col">Order</th>
          </tr>
        </thead>
        <tbody>
          {articles.map((article) => {
            const draft = drafts.find((other) => other.article.articleId === article.articleId);
            return (
              <tr key={article.articleId}>
                <td className="choice">
                  <input
                    type="checkbox"
                    aria-label={`Select ${article.title ?? article.articleId}`}
                    checked={draft !== undefined}
                    onChange={() => onToggle(article)}
                  />
                </td>
                {draft ? (
                  <EditCells draft={draft} categories={categories} onEdit={(change) => onEdit(draft, change)} />
                ) : (
                  <ReadCells article={article} />
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function ReadCells({ article: { articleId, title, category, hidden, order } }: { article: ArticleFieldsFragment }) {
  return (
    <>
      <td>{title ?? articleId}</td>
      <td data-label="Category">{category?.name}</td>
      <td data-label="Hidden">{hidden ? 'Hidden' : ''}</td>
      <td data-label="Order">{order}</td>
    </>
  );
}

interface EditCellsProps {
  draft: ArticleDraft;
  categories: readonly Option<string>[];
  onEdit: (change: ArticleChange) => void;
}

function EditCells({ draft: whole, categories, onEdit }: EditCellsProps) {
  const id = useId();
  const { article, ...draft } = whole;
  const label = (field: string) => `${field} of ${article.title ?? article.articleId}`;
  return (
    <>
      <td>
        <input
          className="title"
          aria-label={label('Title')}
          value={draft.title}
          onChange={({ target }) => onEdit({ title: target.value })}
        />
      </td>
      <td data-label="Category">
        <CategorySelect
          label={label('Category')}
          categoryId={draft.categoryId}
          categories={categories}
          onChange={(categoryId) => onEdit({ categoryId })}
        />
      </td>
      <td data-label="Hidden">
        <input
          type="checkbox"
          aria-label={label('Hidden')}
          checked={draft.hidden}
          onChange={({ target }) => onEdit({ hidden: target.checked })}
        />
      </td>
      <td data-label="Order">
        <input
          className="order"
          inputMode="numeric"
          aria-label={label('Order')}
          aria-invalid={!isSendable(whole)}
          aria-describedby={id}
          value={draft.order}
          onChange={({ target }) => onEdit({ order: target.value })}
        />
        <span id={id} role="status" className={isSendable(whole) ? 'hint' : 'issue'}>
          {orderIssue(whole)}
        </span>
      </td>
    </>
  );
}

interface CategorySelectProps {
  label: string;
  /** The text while nothing is chosen. */
  placeholder?: string;
  categoryId: string;
  categories: readonly Option<string>[];
  onChange: (categoryId: string) => void;
}

export function CategorySelect({ label, placeholder = '–', categoryId, categories, onChange }: CategorySelectProps) {
  return (
    <select aria-label={label} value={categoryId} onChange={({ target }) => target.value && onChange(target.value)}>
      <option value="">{placeholder}</option>
      {categories.map(({ key, label: name, value, depth = 0 }) => (
        <option key={key} value={value}>
          {'\u00a0\u00a0'.repeat(depth)}
          {name}
        </option>
      ))}
    </select>
  );
}
