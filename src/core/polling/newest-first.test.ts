import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNewest } from './newest-first.ts'
import type { ListingState } from './newest-first.ts'

const PAGE = 5

/**
 * A list that grows at its top while it is read, and a reader that can be interrupted before any
 * page.
 */
function createHarness() {
  const there: number[] = []
  const here = new Map<number, number>()
  let state: ListingState = { nextPage: 1, complete: false, pass: 1 }
  return {
    there,
    here,
    sell(count: number): void {
      for (let at = 0; at < count; at += 1) there.unshift(there.length)
    },
    complete: () => state.complete,
    read: (arrivals: () => number, cut: () => boolean) =>
      readNewest<number>({
        state: () => state,
        async page(page) {
          if (cut()) throw new Error('killed')
          for (let more = arrivals(); more > 0; more -= 1) there.unshift(there.length)
          const rows = there.slice((page - 1) * PAGE, page * PAGE)
          return { rows, last: page * PAGE >= there.length }
        },
        take(rows, next) {
          let fresh = 0
          let changed = false
          for (const row of rows) {
            changed ||= !here.has(row)
            const pass = here.get(row) ?? state.pass
            here.set(row, pass)
            if (pass >= state.pass) fresh += 1
          }
          if (next !== null) state = next
          return { fresh, changed }
        },
        end: (next) => {
          state = next
        },
      }),
  }
}

test('misses nothing, whatever arrives during a pass and wherever it is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.array(
        fc.record({
          before: fc.nat(30),
          arrivals: fc.array(fc.nat(12), { maxLength: 20 }),
          cutAfter: fc.option(fc.nat(8)),
        }),
        { maxLength: 12 },
      ),
      async (first, readings) => {
        const { there, here, sell, read, complete } = createHarness()
        sell(first)
        for (const { before, arrivals, cutAfter } of readings) {
          sell(before)
          const queue = [...arrivals]
          let pages = 0
          await read(
            () => queue.shift() ?? 0,
            () => cutAfter !== null && pages++ >= cutAfter,
          ).catch((error: unknown) => {
            if (!(error instanceof Error) || error.message !== 'killed') throw error
          })
        }
        await read(
          () => 0,
          () => false,
        )
        if (!complete())
          await read(
            () => 0,
            () => false,
          )
        await read(
          () => 0,
          () => false,
        )
        expect([...here.keys()].toSorted((a, b) => b - a)).toEqual(there)
      },
    ),
    { numRuns: 400 },
  )
})

test('reads one page once everything is known', async () => {
  const { sell, read } = createHarness()
  sell(43)
  let pages = 0
  const look = (): Promise<boolean> => {
    pages = 0
    return read(
      () => {
        pages += 1
        return 0
      },
      () => false,
    )
  }
  expect([await look(), pages]).toEqual([true, 9])
  expect([await look(), pages]).toEqual([false, 1])
  sell(7)
  expect([await look(), pages]).toEqual([true, 3])
  expect([await look(), pages]).toEqual([false, 1])
})
