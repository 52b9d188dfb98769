import type { TeamAccount } from '../../core/articles/articles.ts';
import type { BackendResult, Page } from '../../core/backend.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { mapOk } from '../../core/base/result.ts';
import { decodePayload, decodePayloadList, notOfferedIf404, nullIfMissing } from '../calls/read-response.ts';
import { decodeTeamAccount } from '../v2/team-accounts.ts';
import { type PagedList, paginate } from './paging.ts';
import type { RequestCache } from './request-cache.ts';

/** The size that the documentation names: see docs/service.md, "Team accounts". */
const PAGE_SIZE = 20;

export async function readTeamAccountPage(cache: RequestCache, request: PageRequest): BackendResult<Page<TeamAccount>> {
  const list: PagedList<TeamAccount> = {
    pageSize: PAGE_SIZE,
    readPage: async (index) => {
      const payload = await cache.get(['Teams'], { skip: index * PAGE_SIZE, take: PAGE_SIZE });
      return decodePayloadList(notOfferedIf404(payload), decodeTeamAccount, cache);
    },
    idOf: ({ userId }) => userId,
  };
  return mapOk(await paginate(list, request), (page) => ({ ...page, totalCount: null }));
}

export const readTeamAccount = async (cache: RequestCache, userId: string): BackendResult<TeamAccount | null> =>
  nullIfMissing(decodePayload(await cache.get(['Teams', { id: userId }]), decodeTeamAccount), 'team account');
