import { err, ok, type Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { unlessUnavailable } from '../../core/state-unavailable.ts';
import type { TokenVerification } from '../reads/token-verification.ts';

interface PeerCreationsOptions {
  readonly verification: Pick<TokenVerification, 'rejectionOf'>;
  /** The shared state; null where no other gateway is known. */
  readonly shared: SharedState | null;
  /** `open`: articles are created without an announcement, and what ended unknown stays so. */
  readonly onSharedFailure: 'closed' | 'open';
}

/** True where no other gateway may have made an article that was listed before this question. */
export type IsOnlyOne = (place: string) => Promise<boolean>;

/** What other gateways know of the creates of a request. */
interface Announcement {
  readonly isOnlyOne: IsOnlyOne;
  /** Ends the announcement of a request that has created nothing. Where that fails, it ends by its age. */
  readonly withdraw: () => Promise<unknown>;
}

/** Announces the creates of a request to other gateways before they are sent. An error is the reason why they must not be. */
export type AnnounceCreations = (
  caller: Caller,
  places: readonly string[],
) => Promise<Result<Announcement, BackendError>>;

const unannounced = (isOnlyOne: boolean): Announcement => ({
  isOnlyOne: async () => isOnlyOne,
  withdraw: async () => {},
});

/**
 * Each gateway announces its creates before it sends them. So whoever has found an article, and then sees no
 * announcement of an equal create, knows that no other gateway has made it.
 */
export function createAnnouncements({
  verification,
  shared,
  onSharedFailure,
}: PeerCreationsOptions): AnnounceCreations {
  if (shared === null) return async () => ok(unannounced(true));
  if (onSharedFailure === 'open') return async () => ok(unannounced(false));
  const { creations } = shared;
  return async (caller, places) => {
    // Nobody fills the state with a token that the service does not accept.
    const rejection = await verification.rejectionOf(caller);
    if (rejection) return err(rejection);
    const announcementId = await unlessUnavailable(() => creations.announce(places));
    if (announcementId === null) return err(unavailable(NOT_ANNOUNCED_MESSAGE));
    return ok({
      isOnlyOne: async (place) => (await unlessUnavailable(() => creations.isOnlyOne(announcementId, place))) ?? false,
      withdraw: () => unlessUnavailable(() => creations.withdraw(announcementId)),
    });
  };
}

const NOT_ANNOUNCED_MESSAGE =
  'The state that the gateways share cannot be reached, and without it two gateways may report one article as created ' +
  'by each; nothing was sent.';
