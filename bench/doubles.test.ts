import { expect, test } from 'vitest'
import benchDoubles from './doubles.ts'

test('the benchmark of test doubles probes the service and compares handlers with planted bugs', async () => {
  const told: string[] = []
  const { results, certified, leftOut } = await benchDoubles({
    log: (text) => told.push(text),
    sizes: {
      peers: false,
      scenarios: [
        'delivers the keys ordered',
        'lost answer, retried',
        'claim window of seven days',
      ],
      bugs: ['trusts-delivery-id', 'hands-on-one-unit'],
    },
  })
  const { scenarios, events } = results['Keydesk'] ?? {}
  const passed = Object.values(scenarios ?? {}).map((verdict) => verdict.passed)
  expect(passed, told.join('\n')).toEqual([true, true, true])
  expect(events, told.join('\n')).toMatchObject({
    handedOn: 4,
    bugs: { 'trusts-delivery-id': false, 'hands-on-one-unit': true },
  })
  expect(certified).toEqual({ 'trusts-delivery-id': true, 'hands-on-one-unit': true })
  expect(leftOut).toEqual({})
}, 300_000)
