/** The values a cron expression names, each list in ascending order. The same days always give the same lists. */
export interface Cron {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** All 31 if the day of the month does not matter. */
  readonly dates: readonly number[]
  readonly months: readonly number[]
  /** 0 is Sunday. All 7 if the day of the week does not matter. */
  readonly weekdays: readonly number[]
  /** `L-3` is 3. */
  readonly beforeLast: readonly number[]
  /** `15W` is 15, `LW` is 32. */
  readonly nearest: readonly number[]
  /** `TUE#1` is 2, `TUE#2` is 9; `FRIL` is 40, as if the last were the sixth. */
  readonly nth: readonly number[]
}

/** The fields of an expression, in order. */
export const cronFields = ['seconds', 'minutes', 'hours', 'dates', 'months', 'weekdays'] as const

export type CronField = (typeof cronFields)[number]

/** A cron expression while it is parsed. */
export type CronSets = { readonly [Name in keyof Cron]: Set<number> }
