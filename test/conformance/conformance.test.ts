import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testRoles } from '../support/engine.ts'
import { House } from './house.ts'
import { casesOf, doorNames } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

let house: House
beforeAll(async () => {
  house = await House.open(inject('pgUrl'), testRoles)
})
afterAll(() => house.close())

const cases = casesOf(scenarios)

for (const door of doorNames) {
  describe(`through the door ${door}`, () => {
    for (const { scenario } of cases.filter((one) => one.door === door)) {
      test(scenario.name, async () => scenario.run(await house.enter(door)))
    }
  })
}

test('no two scenarios have the same name', () => {
  const names = scenarios.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
