import type { Page } from '@playwright/test'
import axe from 'axe-core'
import type { Result, RunOptions } from 'axe-core'

/** Waits until what was last changed is drawn, and what fades or slides has come to its end. */
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
      // One that is cancelled has come to its end too.
      await Promise.allSettled(moving().map(({ finished }) => finished))
    } while (moving().length > 0)
  })

/**
 * What axe finds in a page once it is at rest. It is put into the page once, and describes nothing
 * that passed: both take longer than to find.
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
