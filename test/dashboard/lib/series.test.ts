import { expect, test } from 'vitest'
import { settledPoints } from '../../../src/dashboard/lib/series.ts'
import type { Series, SeriesPoint } from '../../../src/dashboard/model.ts'

function series(to: string): Pick<Series, 'to' | 'width' | 'points'> {
  const points = ['10:00', '10:01', '10:02'].map((at) => ({
    at: `2026-11-18T${at}:00Z`,
    done: 30,
  })) as unknown as SeriesPoint[]
  return { to, width: 60, points }
}

test('counts the running minute for the part of it that is over', () => {
  const seconds = settledPoints(series('2026-11-18T10:02:30Z')).map((point) => point.seconds)

  expect(seconds).toEqual([60, 60, 30])
})

test('leaves out a minute that has just begun', () => {
  expect(settledPoints(series('2026-11-18T10:02:05Z'))).toHaveLength(2)
})

test('has no points before they are loaded', () => {
  expect(settledPoints(null)).toEqual([])
})
