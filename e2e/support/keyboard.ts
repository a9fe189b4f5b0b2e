import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

declare global {
  interface Window {
    keydeskPointed?: (what: string) => void
    keydeskPressed?: (key: string) => void
  }
}

/**
 * Records mouse, pen and touch events of the page from now on, across reloads. Returns the list.
 */
export async function watchPointer(page: Page): Promise<readonly string[]> {
  const pointed: string[] = []
  await page.exposeFunction('keydeskPointed', (what: string) => {
    pointed.push(what)
  })
  const watch = (): void => {
    for (const kind of ['pointerdown', 'mousedown', 'wheel', 'touchstart'])
      window.addEventListener(kind, () => window.keydeskPointed?.(kind), {
        capture: true,
        passive: true,
      })
  }
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return pointed
}

/**
 * Records keys of the page from now on, across reloads, except text that is typed into a field.
 * Returns the list.
 */
export async function watchKeys(page: Page): Promise<readonly string[]> {
  const pressed: string[] = []
  await page.exposeFunction('keydeskPressed', (key: string) => {
    pressed.push(key)
  })
  const watch = (): void => {
    window.addEventListener(
      'keydown',
      ({ key, target, ctrlKey, altKey, metaKey }) => {
        const isField = target instanceof HTMLElement && target.matches('input, textarea')
        if (!isField || key.length > 1 || ctrlKey || altKey || metaKey) window.keydeskPressed?.(key)
      },
      { capture: true },
    )
  }
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return pressed
}

const MOST_TABS = 150

/** Moves to an element with Tab only. Returns how often it was pressed. */
export async function reach(page: Page, target: Locator): Promise<number> {
  await expect(target).toBeVisible()
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return tabs
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(target)}`)
}

/** Moves to an element with Tab and presses a key on it. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target)
  await page.keyboard.press(key)
}

/**
 * Presses G and a letter in a row, as a person does, without waiting for the page's response to G:
 * on a busy machine it would come after the time in which two keys form a chord.
 */
export async function go(page: Page, letter: string, title: string): Promise<void> {
  await expect(async () => {
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)])
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({
      timeout: 2000,
    })
  }).toPass()
}
