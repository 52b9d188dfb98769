/** With less time than this left no call is begun: it could only end in an unknown outcome. */
export const LEAST_CALL_MS = 50;
