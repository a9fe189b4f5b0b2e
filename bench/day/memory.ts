import { readFileSync } from 'node:fs'
import type { Browser } from '@playwright/test'

/** Megabytes in the memory of the core's process and of the page's. */
export type Memory = { core: number; corePeak: number; page: number }

const field = (pid: number, name: 'VmRSS' | 'VmHWM'): number => {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Math.round(Number(line?.[1] ?? 0) / 1000)
}
/**
 * The share of a process in memory that several use, so that the browser's code counts once. Smaller
 * while another Chromium runs on the machine.
 */
const proportional = (pid: number): number =>
  Math.round(
    Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) /
      1000,
  )

export async function memoryOf(browser: Browser, core: number): Promise<Memory> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  return {
    core: field(core, 'VmRSS'),
    corePeak: field(core, 'VmHWM'),
    page: pages.reduce((sum, { id }) => sum + proportional(id), 0),
  }
}
