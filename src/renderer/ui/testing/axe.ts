import type { Page } from '@playwright/test'
import axe from 'axe-core'
import type { Result, RunOptions } from 'axe-core'

/** Waits until the last changes are rendered and all transitions have finished. */
const atRest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const drawn = (): Promise<number> =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve)
      })
    const moving = (): Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' &&
            Number.isFinite(effect?.getComputedTiming().endTime ?? Infinity),
        )
    do {
      await drawn()
      await drawn()
      // A canceled animation has finished too.
      await Promise.allSettled(moving().map(({ finished }) => finished))
    } while (moving().length > 0)
  })

/**
 * The violations axe finds in a page at rest. Axe is injected only once and leaves out passed
 * rules, because both take longer than the check.
 */
export async function violations(
  page: Page,
  options: RunOptions = {},
  { include = ['html'], exclude = [] }: { include?: string[]; exclude?: string[] } = {},
): Promise<Result[]> {
  await atRest(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([where, how]) =>
      (await (window as unknown as { axe: typeof axe }).axe.run(where, how)).violations,
    [
      { include, exclude },
      { ...options, resultTypes: ['violations'], preload: false },
    ] as [{ include: string[]; exclude: string[] }, RunOptions],
  )
}
