/** Thrown where the database can't be opened now and may be later: it does not answer, or another process has locked it. */
export class DatabaseAway extends Error {}
