/** Where a call is made. */
export interface Place {
  readonly schema: string
  readonly queue: string
}

/** One call of SQL, measured alone. */
export interface Call {
  readonly name: string
  /** Fills the table `given` (id, claim, subject) with what so many calls are given. Not measured. */
  readonly prepare?: (place: Place, count: number) => string
  /** What follows `from`. The i-th call is given v_ids[i], v_claims[i] and v_subjects[i]. */
  readonly text: (place: Place) => string
}

/** One version of the calls, with its connection. */
export interface CallSubject {
  readonly name: string
  readonly schema: string
  /** The queue of a lap. */
  readonly queueOf: (lap: string) => string
}
