import { safeHtmlOf } from './safe-html.ts';
import { diffTexts, rebased, withoutPlace } from './text-diff.ts';
import type { Request } from './texts.ts';

// Makes HTML and comparisons of texts apart from the page, which ends it where a text takes too long.

function make(request: Request) {
  if (request.kind === 'diff') return diffTexts(request);
  if (request.kind === 'without') return withoutPlace(request);
  return request.kind === 'rebase' ? rebased(request) : safeHtmlOf(request);
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => self.postMessage(make(data)));
self.postMessage(null);
