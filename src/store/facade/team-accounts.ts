import { missingAccountText } from '../../core/articles/articles.ts';
import { err } from '../../core/base/result.ts';
import { encodeTeamAccount } from '../../service/v2/team-accounts.ts';
import {
  type EnvelopeResult,
  type FacadeRequest,
  INT32_MAX,
  onlyResult,
  pathParam,
  queryNumber,
  rejection,
  succeedWith,
} from './route-handler.ts';

/** The default page size of the documentation, and the largest page size here: see docs/service.md, "Team accounts". */
const DEFAULT_TAKE = 20;
const MAX_TAKE = 100;

export async function listTeams({ backend, caller, query }: FacadeRequest): EnvelopeResult {
  const skip = queryNumber(query, 'skip', { min: 0, max: INT32_MAX, defaultValue: 0 });
  if (!skip.ok) return skip;
  const take = queryNumber(query, 'take', { min: 1, max: MAX_TAKE, defaultValue: DEFAULT_TAKE });
  if (!take.ok) return take;
  const accounts = await backend.listTeamAccounts(caller, { limit: take.value, skip: skip.value });
  return accounts.ok
    ? succeedWith({ result: accounts.value.edges.map(({ node }) => encodeTeamAccount(node)) })
    : accounts;
}

export async function readTeam(request: FacadeRequest): EnvelopeResult {
  const userId = pathParam(request, 'userId');
  const account = onlyResult(await request.backend.teamAccounts(request.caller, [userId]));
  if (!account.ok) return account;
  return account.value === null
    ? err(rejection(400, missingAccountText(userId)))
    : succeedWith({ result: encodeTeamAccount(account.value) });
}
