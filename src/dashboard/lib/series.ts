import type { Series, SeriesPoint } from '../model.ts'

/** A point, and how many seconds of it are over: fewer than its width for the one that time is in. */
export type SettledPoint = SeriesPoint & { readonly seconds: number }

/** In less time than this a rate says nothing. */
const leastSeconds = 15

/**
 * Points whose rate is known. The running one counts for the part of it that is over, so that the line does not dip at
 * its end; just begun it is left out.
 */
export function settledPoints(
  series: Pick<Series, 'to' | 'width' | 'points'> | null,
): SettledPoint[] {
  if (series === null) return []
  const now = Date.parse(series.to)
  return series.points
    .map((point) => ({
      ...point,
      seconds: Math.min(series.width, (now - Date.parse(point.at)) / 1000),
    }))
    .filter(({ seconds }) => seconds >= Math.min(leastSeconds, series.width))
}
