import { expect, test } from 'vitest'
import benchPackage from './package.ts'

test('the package, installed alone, orders after one command and gives each test a branch', async () => {
  const { figures } = await benchPackage({ log: () => {}, tests: 10 })
  expect(figures.firstOrderMs).toBeGreaterThan(0)
  expect(figures.suite).toMatchObject({ tests: 10, passed: 10 })
}, 180_000)
