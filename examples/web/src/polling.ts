import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 2_000;
const PAUSE_AFTER_ERROR_MS = 10_000;

interface PollingOptions {
  /** False when there is nothing to wait for. */
  isOn: boolean;
  fetching: boolean;
  hasFailed: boolean;
  read: () => void;
}

/** Reads again some time after each answer. The gateway keeps what is polled, so that a poll costs the service nothing. */
export function usePolling({ isOn, fetching, hasFailed, read }: PollingOptions): void {
  useEffect(() => {
    if (!isOn || fetching) return;
    const timer = setTimeout(read, hasFailed ? PAUSE_AFTER_ERROR_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOn, fetching, hasFailed, read]);
}

/** Reads again when the revision has changed. */
export function useReadingAgain(revision: string, read: () => void): void {
  const last = useRef(revision);
  useEffect(() => {
    if (last.current === revision) return;
    last.current = revision;
    read();
  }, [revision, read]);
}

/** The data that was read last, also while it is read again and after that has failed. */
export function useLastData<T>(data: T | null | undefined): T | null {
  const [last, setLast] = useState(data ?? null);
  if (data && data !== last) setLast(data);
  return data ?? last;
}
