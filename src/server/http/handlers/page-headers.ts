/** The headers of every page. No page of another origin keeps a handle on its window, so none can navigate it. */
export const PAGE_SECURITY_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};
