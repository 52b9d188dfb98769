import type { Notice, ServiceError } from '../../domain/notices.ts';
import { builder } from '../builder.ts';

const EXTENSION_DATA = 'The `extension_data` of the service, as it came; null when there is none.';

export const ServiceErrorType = builder.objectRef<ServiceError>('ServiceError').implement({
  description: "An error in the service's own words. A stack trace of the service is left out.",
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description: "The problem in the service's words; null when the service gives none.",
    }),
    errorCode: t.exposeString('errorCode', {
      nullable: true,
      description:
        "The service's code: null, an empty text or the HTTP status. Decide by the `code` of the mutation's error instead.",
    }),
    customData: t.expose('customData', {
      type: 'JSON',
      nullable: true,
      description: 'The `custom_data` of the service, as it came; null when there is none.',
    }),
    extensionData: t.expose('extensionData', { type: 'JSON', nullable: true, description: EXTENSION_DATA }),
  }),
});

export const NoticeType = builder.objectRef<Notice>('Notice').implement({
  description:
    'A warning or a piece of information that the service sent beside its answer, or a warning of the gateway.',
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description:
        "The notice as a sentence, in the service's words where it is of the service; null when the service gives none.",
    }),
    code: t.exposeString('code', {
      nullable: true,
      description: "The service's code of a warning; null for information and for warnings of the gateway.",
    }),
    extensionData: t.expose('extensionData', { type: 'JSON', nullable: true, description: EXTENSION_DATA }),
  }),
});
