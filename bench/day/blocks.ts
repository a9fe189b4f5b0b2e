import type { Browser, Page } from '@playwright/test'
import { z } from 'zod'

/** What an action cost the page, in milliseconds. */
export type Block = {
  /** From the start of the action to its result. */
  ms: number
  /** The longest task of the page's main thread, by the clock. */
  longestMs: number
  /** The most processor time of one task, which other work on the machine doesn't lengthen. */
  processorMs: number
}

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      ph: z.string(),
      tid: z.number().optional(),
      pid: z.number().optional(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.object({ name: z.unknown().optional() }).optional(),
    }),
  ),
})

/** Runs an action and measures the tasks of the page's main thread until it is done. */
export async function measureBlock(
  browser: Browser,
  page: Page,
  action: () => Promise<unknown>,
): Promise<Block> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  const began = performance.now()
  let trace: Buffer
  try {
    await action()
  } finally {
    trace = await browser.stopTracing()
  }
  const ms = performance.now() - began
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString()))
  const mainThreads = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? `${pid} ${tid}` : [],
    ),
  )
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === 'RunTask' && mainThreads.has(`${pid} ${tid}`),
  )
  const longest = (of: 'dur' | 'tdur'): number =>
    Math.round(Math.max(0, ...tasks.map((task) => task[of] ?? 0)) / 1000)
  return { ms: Math.round(ms), longestMs: longest('dur'), processorMs: longest('tdur') }
}
