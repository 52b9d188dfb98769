/** Milliseconds on a clock that all processes of the machine share, so that the times of two of them can be compared. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
