import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/context.ts'
import type { SampleCalls } from './testing/sample.worker.ts'
import { connectWorker, withWorker } from './worker-connection.ts'
import { createWorkers, WorkerExited } from './worker-team.ts'

const start = (): Worker => new Worker(new URL('testing/sample.worker.ts', import.meta.url))
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})
const closed = new Error('The test is over.')

function connect() {
  const exits: string[] = []
  const connection = connectWorker<SampleCalls>(start(), ({ message }) => exits.push(message))
  ends.push(() => connection.end(closed))
  return { ...connection, exits }
}

describe('a worker', () => {
  test('answers each request with its own result', async () => {
    const { ask } = connect()
    expect(await Promise.all([1, 2, 3].map((value) => ask({ do: 'double', value })))).toEqual([
      2, 4, 6,
    ])
  })

  test('answers a request that throws with the error, and works on', async () => {
    const { ask, exits } = connect()
    await expect(ask({ do: 'fail' })).rejects.toMatchObject({
      name: 'RangeError',
      message: 'No such value.',
    })
    expect(await ask({ do: 'double', value: 4 })).toBe(8)
    expect(exits).toEqual([])
  })

  test('reports progress in order before its result', async () => {
    const { ask } = connect()
    const progress: number[] = []
    expect(
      await ask(
        { do: 'count', to: 3, confirm: false },
        { progress: (value) => progress.push(value) },
      ),
    ).toBe('counted')
    expect(progress).toEqual([1, 2, 3])
  })

  test('continues after a confirmed progress only when the core has handled it', async () => {
    const { ask } = connect()
    const progress: number[] = []
    await ask({ do: 'count', to: 3, confirm: true }, { progress: (value) => progress.push(value) })
    expect(progress).toEqual([1, 2, 3])
  })

  test.each(['before', 'after'])(
    'cancels a request whose signal aborts %s it is sent',
    async (when) => {
      const { ask } = connect()
      const stop = new AbortController()
      if (when === 'before') stop.abort()
      const asked = ask({ do: 'until-canceled' }, { signal: stop.signal })
      stop.abort()
      expect(await asked).toBe('canceled')
    },
  )

  test('rejects open and later requests when it exits, and reports that once', async () => {
    const { ask, exits } = connect()
    const open = ask({ do: 'until-canceled' })
    await expect(ask({ do: 'exit' })).rejects.toThrow('The worker exited early with status 3.')
    await expect(open).rejects.toThrow('status 3')
    await expect(ask({ do: 'double', value: 1 })).rejects.toThrow('status 3')
    expect(exits).toEqual(['The worker exited early with status 3.'])
  })

  test('rejects open requests with the reason when it is ended', async () => {
    const { ask, end, exits } = connect()
    const open = ask({ do: 'until-canceled' })
    await Promise.all([expect(open).rejects.toBe(closed), end(closed)])
    expect(exits).toEqual([])
  })

  // Terminating a thread while it loads better-sqlite3 aborts the whole process.
  test('terminates only when it has loaded', async () => {
    const { path, remove } = temporaryFolder()
    const loaded = join(path, 'loaded')
    const { end } = connectWorker(
      new Worker(new URL('testing/slow-start.worker.ts', import.meta.url), { workerData: loaded }),
    )
    await end(closed)
    expect(existsSync(loaded)).toBe(true)
    remove()
  })

  test('ends although it fails while it loads', async () => {
    const missing = new URL('testing/missing.worker.ts', import.meta.url)
    const { end } = connectWorker(new Worker(missing))
    await expect(end(closed)).resolves.toBeUndefined()
  })
})

describe('withWorker', () => {
  const canceled = (): Error => new Error('canceled')

  test('ends the worker after the work', async () => {
    let worker: Worker | undefined
    const result = await withWorker<SampleCalls, unknown>(
      () => (worker = start()),
      { signal: new AbortController().signal, canceled },
      (ask) => ask({ do: 'double', value: 21 }),
    )
    expect(result).toBe(42)
    expect(worker?.threadId).toBe(-1)
  })

  test('rejects and ends the worker when the signal aborts', async () => {
    const stop = new AbortController()
    const work = withWorker<SampleCalls, unknown>(start, { signal: stop.signal, canceled }, (ask) =>
      ask({ do: 'until-canceled' }),
    )
    stop.abort()
    await expect(work).rejects.toThrow('canceled')
  })

  test('starts no worker when the signal has aborted before', async () => {
    let starts = 0
    const work = withWorker<SampleCalls, unknown>(
      () => {
        starts += 1
        return start()
      },
      { signal: AbortSignal.abort(), canceled },
      (ask) => ask({ do: 'double', value: 1 }),
    )
    await expect(work).rejects.toThrow('canceled')
    expect(starts).toBe(0)
  })
})

describe('createWorkers', () => {
  function create(starting: () => { left: Worker; right: Worker } = both) {
    const failures: string[] = []
    const workers = createWorkers<{ left: SampleCalls; right: SampleCalls }>(starting, (error) =>
      failures.push(error.message),
    )
    ends.push(() => workers.end(closed))
    return { workers, failures }
  }
  const both = () => ({ left: start(), right: start() })

  test('starts the workers at their first use and keeps them', async () => {
    const { workers } = create()
    expect(workers.running()).toBeNull()
    const team = workers.team()
    expect(await team?.ask('left', { do: 'double', value: 1 })).toBe(2)
    expect(await team?.ask('right', { do: 'double', value: 2 })).toBe(4)
    expect(workers.team()).toBe(team)
    expect(workers.running()).toBe(team)
  })

  test('ends all workers when one fails, and starts new ones, up to three failures', async () => {
    const { workers, failures } = create()
    for (let round = 1; round <= 3; round += 1) {
      const team = workers.team()
      const other = team?.ask('right', { do: 'until-canceled' })
      await expect(team?.ask('left', { do: 'crash' })).rejects.toBeInstanceOf(WorkerExited)
      await expect(other).rejects.toThrow('A defect.')
      expect(team?.ended.aborted).toBe(true)
    }
    expect(failures).toEqual(['A defect.', 'A defect.', 'A defect.'])
    expect(workers.team()).toBeNull()
  })

  test('has no workers when they can’t be started', () => {
    let starts = 0
    const { workers, failures } = create(() => {
      starts += 1
      throw new Error('no such file')
    })
    expect([workers.team(), workers.team()]).toEqual([null, null])
    expect(starts).toBe(1)
    expect(failures).toEqual([])
  })

  test('starts no workers after their end, which is no failure', async () => {
    const { workers, failures } = create()
    const open = workers.team()?.ask('left', { do: 'until-canceled' })
    await Promise.all([expect(open).rejects.toBe(closed), workers.end(closed)])
    expect(workers.team()).toBeNull()
    expect(failures).toEqual([])
  })
})
