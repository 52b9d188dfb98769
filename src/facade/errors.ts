import { type BackendError, rejected } from '../domain/errors.ts';
import { createServiceError, type ServiceError } from '../domain/notices.ts';
import { encodeError } from '../v2/errors.ts';

/** A rejection in words of the façade itself. */
export const rejection = (httpStatus: number, description: string): BackendError =>
  createRejection(httpStatus, [createServiceError(description)]);

/** The rejection of a request body, with all findings. */
export const bodyRejection = (findings: readonly ServiceError[]): BackendError => createRejection(400, findings);

const createRejection = (httpStatus: number, serviceErrors: readonly ServiceError[]): BackendError =>
  rejected({ httpStatus, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });

/** The envelope for a request that is rejected before its operation is known. */
export const errorEnvelope = (error: BackendError): string => JSON.stringify(encodeError(error, 'null').envelope);
