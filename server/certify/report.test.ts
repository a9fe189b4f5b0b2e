import { expect, test } from 'vitest'
import type { Certificate } from './certify.ts'
import { invariantIds } from './judge.ts'
import { jsonReport, junitReport, readableReport } from './report.ts'

const passed: Certificate = {
  seed: 4711,
  schedules: 500,
  failed: 0,
  deliveries: 3214,
  kills: 40,
  slowestMs: 212,
  seconds: 8.5,
  invariants: invariantIds.map((id) => ({ id, checked: id === 'test' ? 0 : 500, failed: 0 })),
  failures: [],
}
const failed: Certificate = {
  ...passed,
  failed: 1,
  invariants: passed.invariants.map((one) => (one.id === 'once' ? { ...one, failed: 1 } : one)),
  failures: [
    {
      number: 218,
      stepsBefore: 9,
      schedule: {
        orders: ['completed'],
        steps: [
          { verb: 'deliver', order: 0, variant: null },
          { verb: 'resend', order: 0, variant: null },
        ],
      },
      violations: [{ invariant: 'once', order: 0, detail: 'Order <ord_1>: handed on 2 times.' }],
    },
  ],
}

test('a passed certificate says so, and what was not tested', () => {
  expect(readableReport(passed)).toContain('Certified: 500 schedules passed.')
  expect(readableReport(passed)).toContain('not tested Test events never count as live')
  expect(JSON.parse(jsonReport(passed))).toMatchObject({ certified: true, seed: 4711 })
  expect(junitReport(passed)).toContain('tests="8" failures="0"')
  expect(junitReport(passed).match(/<skipped\/>/g)).toHaveLength(1)
})

test('a failure has its steps, a fix, and a schedule to repeat', () => {
  const text = readableReport(failed)
  expect(text).toContain('Not certified: 1 of 500 schedules failed.')
  expect(text).toContain('1. The event of order 1 is delivered.')
  expect(text).toContain('2. The same event is sent again under a new delivery id.')
  expect(text).toContain('--replay "completed: deliver 1; resend 1"')
  expect(JSON.parse(jsonReport(failed))).toMatchObject({
    certified: false,
    failures: [{ invariant: 'once', schedule: 218, replay: 'completed: deliver 1; resend 1' }],
  })
  expect(junitReport(failed)).toContain('Order &#60;ord_1&#62;')
})
