/**
 * The reasons why a connection could not be made, or was lost. Each sentence ends a message: "The service cannot be
 * reached: …". None has an address.
 */
const SENTENCES = {
  refused: 'the connection was refused.',
  cut: 'the connection was cut.',
  'timed-out': 'the connection took too long.',
  'no-name': 'the name of its host was not found.',
  'no-lookup': 'the name of its host could not be looked up.',
  'no-host': 'there is no way to its host.',
  'no-network': 'there is no way to its network.',
  'unknown-authority': 'its certificate is from an authority that is not trusted here.',
  'incomplete-chain':
    'its certificate could not be verified: the chain is incomplete, or its authority is not trusted here.',
  'self-signed': 'its certificate is self-signed, and not trusted here.',
  'other-name': 'its certificate is for another name.',
  expired: 'its certificate has expired.',
  'not-yet-valid': 'its certificate is not valid yet.',
  'bad-certificate': 'its certificate is not acceptable.',
  'no-tls': 'no TLS is spoken there.',
  'failed-handshake': 'the TLS handshake failed.',
  'no-http': 'the answer is not valid HTTP.',
  'no-tunnel': 'the proxy made no connection to it.',
  'no-resources': 'the system of the gateway has no room for another connection.',
  other: 'the connection could not be set up.',
} as const;

type ConnectionFailure = keyof typeof SENTENCES;

/** The codes of Node and of OpenSSL. Other codes are classified by their beginning. */
const FAILURES: ReadonlyMap<string, ConnectionFailure> = new Map(
  Object.entries<ConnectionFailure>({
    ECONNREFUSED: 'refused',
    ECONNRESET: 'cut',
    ECONNABORTED: 'cut',
    EPIPE: 'cut',
    ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'cut',
    ERR_STREAM_PREMATURE_CLOSE: 'cut',
    ETIMEDOUT: 'timed-out',
    ENOTFOUND: 'no-name',
    EAI_AGAIN: 'no-lookup',
    EAI_FAIL: 'no-lookup',
    EHOSTUNREACH: 'no-host',
    EHOSTDOWN: 'no-host',
    ENETUNREACH: 'no-network',
    ENETDOWN: 'no-network',
    EADDRNOTAVAIL: 'no-network',
    EMFILE: 'no-resources',
    ENFILE: 'no-resources',
    ENOBUFS: 'no-resources',
    ENOMEM: 'no-resources',
    UNABLE_TO_GET_ISSUER_CERT: 'unknown-authority',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-authority',
    SELF_SIGNED_CERT_IN_CHAIN: 'unknown-authority',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete-chain',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
    ERR_TLS_CERT_ALTNAME_INVALID: 'other-name',
    HOSTNAME_MISMATCH: 'other-name',
    CERT_HAS_EXPIRED: 'expired',
    CERT_NOT_YET_VALID: 'not-yet-valid',
    CERT_REVOKED: 'bad-certificate',
    CERT_UNTRUSTED: 'bad-certificate',
    CERT_REJECTED: 'bad-certificate',
    CERT_CHAIN_TOO_LONG: 'bad-certificate',
    CERT_SIGNATURE_FAILURE: 'bad-certificate',
    PATH_LENGTH_EXCEEDED: 'bad-certificate',
    INVALID_CA: 'bad-certificate',
    INVALID_PURPOSE: 'bad-certificate',
    ERR_SSL_WRONG_VERSION_NUMBER: 'no-tls',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no-tls',
    ERR_SSL_UNKNOWN_PROTOCOL: 'no-tls',
    ERR_SSL_HTTP_REQUEST: 'no-tls',
    EPROTO: 'failed-handshake',
    ERR_TUNNEL: 'no-tunnel',
  }),
);

function failureOf(code: string): ConnectionFailure {
  const known = FAILURES.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'failed-handshake';
  return code.startsWith('HPE_') ? 'no-http' : 'other';
}

/** The reason why a connection could not be made, for any code, as a clause for messages. */
export const reasonOf = (code: string): string => SENTENCES[failureOf(code)];

/** The reason why an open connection was lost. */
export const brokenReasonOf = (code: string): string => {
  const failure = failureOf(code);
  return failure === 'other' ? 'the answer of the service could not be read.' : SENTENCES[failure];
};

/** The reason in the message of an error of OpenSSL. Where writing fails, the code of the error does not have it. */
const OPENSSL_REASON = /:SSL routines:[^:]*:(?<reason>[a-z\d ]{1,60})/u;

/** The code of a network error; '' where it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { reason } = (code === 'EPROTO' && error instanceof Error && OPENSSL_REASON.exec(error.message)?.groups) || {};
  return reason === undefined ? code : `ERR_SSL_${reason.replaceAll(' ', '_').toUpperCase()}`;
}
