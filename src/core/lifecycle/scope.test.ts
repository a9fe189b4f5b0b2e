import { describe, expect, it } from 'vitest'
import { manualClock } from '../testing/manual-clock.ts'
import { createScope } from './scope.ts'

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

function setUp() {
  const clock = manualClock()
  const reported: unknown[] = []
  const scope = createScope({ clock, report: (error) => void reported.push(error) })
  return { clock, reported, scope }
}

describe('a scope', () => {
  it('aborts its signal, waits for its work and for work that this starts, then cleans up last first', async () => {
    const { scope } = setUp()
    const events: string[] = []
    scope.onEnd(() => void events.push('close the file'))
    scope.onEnd(async () => {
      await settled()
      events.push('flush')
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    scope.signal.addEventListener('abort', () => events.push('aborted'))
    void scope.spawn(
      promise.then(() => {
        events.push('first work')
        void scope.spawn(settled().then(() => void events.push('second work')))
      }),
    )
    const ended = scope.end()
    expect(events).toEqual(['aborted'])
    resolve()
    await ended
    expect(events).toEqual(['aborted', 'first work', 'second work', 'flush', 'close the file'])
  })

  it('ends once, however often it is asked to', async () => {
    const { scope } = setUp()
    let closed = 0
    scope.onEnd(() => void closed++)
    await Promise.all([scope.end(), scope.end()])
    await scope.end()
    expect(closed).toBe(1)
  })

  it('reports a failing cleanup and runs the others', async () => {
    const { scope, reported } = setUp()
    let closed = false
    scope.onEnd(() => void (closed = true))
    scope.onEnd(() => {
      throw new Error('no such file')
    })
    await scope.end()
    expect(closed).toBe(true)
    expect(reported).toEqual([new Error('no such file')])
  })

  it('runs tasks of one key in order, also after one failed, and tasks of other keys beside them', async () => {
    const { scope } = setUp()
    const events: string[] = []
    const slow = Promise.withResolvers<void>()
    const first = scope.serial('offer 1', async () => {
      await slow.promise
      events.push('first')
      throw new Error('rejected')
    })
    const second = scope.serial('offer 1', async () => void events.push('second'))
    await scope.serial('offer 2', async () => void events.push('other'))
    expect(events).toEqual(['other'])
    slow.resolve()
    await expect(first).rejects.toThrow('rejected')
    await second
    expect(events).toEqual(['other', 'first', 'second'])
  })

  it('repeats a task at its interval, reports its errors, and stops with the scope', async () => {
    const { scope, clock, reported } = setUp()
    let runs = 0
    scope.every(1000, async () => {
      runs++
      if (runs === 2) throw new Error('second run')
    })
    await settled()
    expect(runs).toBe(1)
    await clock.run(2000, 500)
    expect(runs).toBe(3)
    expect(reported).toEqual([new Error('second run')])
    await scope.end()
    await clock.run(5000, 500)
    expect(runs).toBe(3)
  })

  it('runs a task for each value, and reports its errors', async () => {
    const { scope, reported } = setUp()
    const values: number[] = []
    scope.each(
      (async function* () {
        yield* [1, 2, 3]
      })(),
      (value) => {
        if (value === 2) throw new Error('second value')
        values.push(value)
      },
    )
    await settled()
    await scope.end()
    expect([values, reported]).toEqual([[1, 3], [new Error('second value')]])
  })

  it('ends its children first, and waits for their work', async () => {
    const { scope } = setUp()
    const events: string[] = []
    const child = scope.child()
    child.onEnd(() => void events.push('child'))
    scope.onEnd(() => void events.push('parent'))
    const work = Promise.withResolvers<void>()
    void child.spawn(work.promise)
    const ended = scope.end()
    expect(child.signal.aborted).toBe(true)
    expect(events).toEqual([])
    work.resolve()
    await ended
    expect(events).toEqual(['child', 'parent'])
  })

  it('ends a child when the given signal aborts, and keeps the parent', async () => {
    const { scope } = setUp()
    const until = new AbortController()
    const child = scope.child(until.signal)
    until.abort()
    expect(child.signal.aborted).toBe(true)
    await child.end()
    expect(scope.signal.aborted).toBe(false)
    expect(scope.child(until.signal).signal.aborted).toBe(true)
  })

  it('gives an ended parent only ended children', async () => {
    const { scope } = setUp()
    await scope.end()
    expect(scope.child().signal.aborted).toBe(true)
  })
})
