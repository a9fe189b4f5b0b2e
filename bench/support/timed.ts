import { msSince } from './mirror.ts'

/**
 * Median and 95th percentile of a number of runs, in milliseconds of CPU time, which is the same on
 * a busy machine.
 */
export function timed(runs: number, work: (run: number) => unknown): { p50: number; p95: number } {
  const times = Array.from({ length: runs }, (_, run) => {
    const began = process.cpuUsage()
    work(run)
    return msSince(began)
  }).toSorted((a, b) => a - b)
  const at = (share: number): number =>
    Math.round((times[Math.min(runs - 1, Math.floor(runs * share))] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}
