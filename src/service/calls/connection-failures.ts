const FAILED_HANDSHAKE = 'the TLS handshake failed.';
const NO_HTTP = 'the answer is not valid HTTP.';

/**
 * The reasons why a connection could not be made, or was lost, with the codes of Node and of OpenSSL. Other codes are
 * classified by their beginning. Each reason ends a message: "The service cannot be reached: …". None has an address.
 */
const CODES: Readonly<Record<string, readonly string[]>> = {
  'the connection was refused.': ['ECONNREFUSED'],
  'the connection was cut.': [
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    'ERR_STREAM_PREMATURE_CLOSE',
  ],
  'the connection took too long.': ['ETIMEDOUT'],
  'the name of its host was not found.': ['ENOTFOUND'],
  'the name of its host could not be looked up.': ['EAI_AGAIN', 'EAI_FAIL'],
  'there is no way to its host.': ['EHOSTUNREACH', 'EHOSTDOWN'],
  'there is no way to its network.': ['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
  'the system of the gateway has no room for another connection.': ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  'its certificate is from an authority that is not trusted here.': [
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ],
  'its certificate could not be verified: the chain is incomplete, or its authority is not trusted here.': [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  'its certificate is self-signed, and not trusted here.': ['DEPTH_ZERO_SELF_SIGNED_CERT'],
  'its certificate is for another name.': ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  'its certificate has expired.': ['CERT_HAS_EXPIRED'],
  'its certificate is not valid yet.': ['CERT_NOT_YET_VALID'],
  'its certificate is not acceptable.': [
    'CERT_REVOKED',
    'CERT_UNTRUSTED',
    'CERT_REJECTED',
    'CERT_CHAIN_TOO_LONG',
    'CERT_SIGNATURE_FAILURE',
    'PATH_LENGTH_EXCEEDED',
    'INVALID_CA',
    'INVALID_PURPOSE',
  ],
  'no TLS is spoken there.': [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'ERR_SSL_UNKNOWN_PROTOCOL',
    'ERR_SSL_HTTP_REQUEST',
  ],
  [FAILED_HANDSHAKE]: ['EPROTO'],
  'the proxy made no connection to it.': ['ERR_TUNNEL'],
};

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(CODES).flatMap(([reason, codes]) => codes.map((code) => [code, reason] as const)),
);

/** Undefined for an unknown code. */
function knownReasonOf(code: string): string | undefined {
  if (REASONS.has(code)) return REASONS.get(code);
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return FAILED_HANDSHAKE;
  return code.startsWith('HPE_') ? NO_HTTP : undefined;
}

/** The reason why a connection could not be made, for any code, as a clause for messages. */
export const reasonOf = (code: string): string => knownReasonOf(code) ?? 'the connection could not be set up.';

/** The reason why an open connection was lost. */
export const brokenReasonOf = (code: string): string =>
  knownReasonOf(code) ?? 'the answer of the service could not be read.';

/** The reason in the message of an error of OpenSSL. Where writing fails, the code of the error does not have it. */
const OPENSSL_REASON = /:SSL routines:[^:]*:(?<reason>[a-z\d ]{1,60})/u;

/** The code of a network error; '' where it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { reason } = (code === 'EPROTO' && error instanceof Error && OPENSSL_REASON.exec(error.message)?.groups) || {};
  return reason === undefined ? code : `ERR_SSL_${reason.replaceAll(' ', '_').toUpperCase()}`;
}
