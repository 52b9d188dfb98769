import { describe, expect, it } from 'vitest';
import { Knowledge } from './knowledge.ts';
import { CACHE_MS } from './settings.ts';
import type { Revision, VersionedService } from './versioned-service.ts';

interface Past {
  readonly history: readonly Revision[];
  readonly sent?: readonly (readonly [name: string, times: number])[];
}

function knowledgeOf(id: string, { history, sent = [] }: Past): Knowledge {
  const service: Pick<VersionedService, 'histories' | 'sent' | 'overwrites'> = {
    histories: new Map([[id, history]]),
    sent: new Map(sent),
    overwrites: [],
  };
  return new Knowledge(service);
}

describe('what clients of several gateways know', () => {
  it('finds a read of what was before an acknowledged write', () => {
    const now = performance.now();
    const history = [
      { value: 'old', at: 0 },
      { value: 'new', at: now },
    ];
    const knowledge = knowledgeOf('a', { history });
    const before = knowledge.oldestFor('a');
    knowledge.onArticleWrite('a', 'new', 'acknowledged');
    knowledge.checkArticle('a', 'old', before);
    expect(knowledge.findings).toEqual([]);
    knowledge.checkArticle('a', 'old', knowledge.oldestFor('a'));
    expect(knowledge.findings).toEqual(['a: revision 0 was read after 1 was acknowledged']);
  });

  it('finds a read of what others had replaced for too long, and of what never was', () => {
    const now = 1_000_000;
    const history = [
      { value: 'oldest', at: 0 },
      { value: 'old', at: now - CACHE_MS - 10_000 },
      { value: 'new', at: now - CACHE_MS / 2 },
    ];
    const knowledge = knowledgeOf('a', { history });
    knowledge.checkArticle('a', 'old', { begunAt: now, revision: 0 });
    expect(knowledge.findings).toEqual([]);
    knowledge.checkArticle('a', 'oldest', { begunAt: now, revision: 0 });
    knowledge.checkArticle('a', 'never', { begunAt: now, revision: 0 });
    expect(knowledge.findings).toEqual(['a: revision 0 was read 10000 ms too late', 'a was read as it never was']);
  });

  it('finds changes of members that are lost at once, or in the end', () => {
    const history = [
      { value: '', at: 0 },
      { value: 'ada', at: 1 },
      { value: 'ada,bob', at: 2 },
    ];
    const knowledge = knowledgeOf('g', { history });
    knowledge.onMemberChange('g', { member: 'ada', isIn: true }, 'acknowledged');
    knowledge.onMemberChange('g', { member: 'eve', isIn: true }, 'unknown');
    knowledge.checkEnd();
    expect([knowledge.findings, knowledge.oldestFor('g').revision]).toEqual([[], 1]);
    knowledge.onMemberChange('g', { member: 'carl', isIn: true }, 'acknowledged');
    expect(knowledge.findings).toEqual(['g: the change of carl was acknowledged, and is not there']);
    history.push({ value: 'bob', at: 3 });
    knowledge.checkEnd();
    expect(knowledge.findings.slice(1)).toEqual(['g: the change of ada was lost', 'g: the change of carl was lost']);
  });

  it('finds what was sent twice, or said not to be sent', () => {
    const history = [{ value: '', at: 0 }];
    const knowledge = knowledgeOf('a', {
      history,
      sent: [
        ['unsent', 1],
        ['twice', 2],
      ],
    });
    knowledge.onArticleWrite('a', 'unsent', 'unsent');
    knowledge.checkEnd();
    expect(knowledge.findings).toEqual(['unsent was sent, and said not to be', 'twice was sent 2 times']);
  });
});
