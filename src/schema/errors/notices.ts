import type { Notice, ServiceError } from '../../domain/notices.ts';
import { builder } from '../builder.ts';

export const ServiceErrorType = builder.objectRef<ServiceError>('ServiceError').implement({
  description: "An error in the service's own words (the service's BaseError). Its stack trace is never passed on.",
  fields: (t) => ({
    description: t.exposeString('description', { nullable: true, description: 'What the service says is wrong.' }),
    errorCode: t.exposeString('errorCode', {
      nullable: true,
      description: "The service's code. It sends null, an empty text or the HTTP status, so do not decide by it.",
    }),
    customData: t.expose('customData', { type: 'JSON', nullable: true, description: 'Free-form data, as it came.' }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description: 'Extension data, as it came.',
    }),
  }),
});

export const NoticeType = builder.objectRef<Notice>('Notice').implement({
  description: 'A warning or a piece of information that the service sent beside its answer.',
  fields: (t) => ({
    description: t.exposeString('description', { nullable: true, description: "The notice in the service's words." }),
    code: t.exposeString('code', { nullable: true, description: "The service's code; only warnings have one." }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description: 'Extension data, as it came.',
    }),
  }),
});
