import { safeHtmlOf } from './safe-html.ts';
import { diffTexts } from './text-diff.ts';
import type { Request } from './texts.ts';

// Makes HTML and comparisons of texts apart from the page, which ends it where a text takes too long.

const make = (request: Request) =>
  request.kind === 'diff' ? diffTexts(request.from, request.to) : safeHtmlOf(request.text, request.kind === 'html');

self.addEventListener('message', ({ data }: MessageEvent<Request>) => self.postMessage(make(data)));
self.postMessage(null);
