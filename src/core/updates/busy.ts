import type { Busy } from '../../contract/app/updates.ts'
import type { Job } from '../../contract/app/app.ts'

/** Jobs that change something on the service. Others can be interrupted at any time. */
const kinds = {
  'key-import': 'uploads',
  'offer-changes': 'changes',
  'dispute-replies': 'changes',
  orders: 'orders',
} as const satisfies Partial<Record<Job['kind'], keyof Busy>>

/**
 * The work in flight: jobs that are running, and orders without an answer. Jobs that are paused,
 * failed or waiting send nothing, and resume after a restart.
 */
export function busyWork(jobs: readonly Job[], unansweredOrders: number): Busy {
  const busy: Busy = { uploads: 0, changes: 0, orders: unansweredOrders, first: null, leftMs: null }
  for (const { kind, state, title, done, total, leftMs } of jobs) {
    if (state !== 'running' || !(kind in kinds)) continue
    busy[kinds[kind as keyof typeof kinds]] += 1
    if (busy.first !== null || total === null || total === 0) continue
    busy.first = { title, done: Math.min(done, total), total }
    busy.leftMs = leftMs
  }
  return busy
}
