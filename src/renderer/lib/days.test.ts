import { afterEach, expect, test, vi } from 'vitest'
import { HOUR_MS } from '../../../server/api/time.ts'

const zone = process.env['TZ']

afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
  vi.resetModules()
})

/** The modules with formats and days as they are in a time zone. */
async function inZone(name: string) {
  process.env['TZ'] = name
  vi.resetModules()
  const [days, format, snooze, periods] = await Promise.all([
    import('./days.ts'),
    import('../ui/format.ts'),
    import('../features/disputes/snooze-choices.ts'),
    import('../features/sales/periods.ts'),
  ])
  return { ...days, ...format, ...snooze, ...periods }
}

test.each([
  ['summer time begins', '2026-03-29T10:00:00Z', 23, '2026-03-28T23:00:00.000Z'],
  ['summer time ends', '2026-10-25T10:00:00Z', 25, '2026-10-24T22:00:00.000Z'],
])('a day begins and ends at local midnight when %s', async (_, now, hours, start) => {
  const { dayEdges, edgesOf, firstDay } = await inZone('Europe/Berlin')
  const at = Date.parse(now)
  const edges = dayEdges(at, 7)
  expect(edges).toHaveLength(8)
  expect(edges.map((edge) => new Date(edge).getHours())).toEqual(edges.map(() => 0))
  expect(new Date(edges[6] ?? 0).toISOString()).toBe(start)
  expect(((edges[7] ?? 0) - (edges[6] ?? 0)) / HOUR_MS).toBe(hours)
  expect(edgesOf('7', at)).toEqual(edges)
  expect(firstDay(at, 7)).toBe(edges[0])
})

test.each([
  ['2026-03-28T12:00:00Z', '2026-03-29T07:00:00.000Z'],
  ['2026-10-24T12:00:00Z', '2026-10-25T08:00:00.000Z'],
])('a snooze from %s until tomorrow ends at 9:00 on the clock', async (now, end) => {
  const { snoozeChoices } = await inZone('Europe/Berlin')
  const tomorrow = snoozeChoices(Date.parse(now), null).find(({ key }) => key === '3')
  expect(new Date(tomorrow?.at ?? 0).toISOString()).toBe(end)
})

test.each(['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland'])(
  'a day of the service has the same name in %s',
  async (name) => {
    const { calendarOf, formatFullServiceDay, formatServiceDay } = await inZone(name)
    const starts = Date.parse('2026-09-30')
    expect(formatServiceDay(starts)).toBe('30 Sep')
    expect(formatServiceDay(starts + 24 * HOUR_MS - 1)).toBe('30 Sep')
    expect(formatFullServiceDay(starts)).toBe('30 Sep 2026')
    const today = calendarOf(starts + 23 * HOUR_MS, []).find((day) => day.today)
    expect(today?.date).toBe('2026-09-30')
  },
)
