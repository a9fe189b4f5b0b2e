import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { pagesOf } from '../src/renderer/app/pages/pages.ts'
import { ImportPage } from './pages/seller.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { keyFile } from './support/key-file.ts'

const card = '.mantine-Notification-root'

/** Shows a toast: locking the vault works on every page. */
async function showToast(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+L')
  await expect(page.locator(card).first()).toBeVisible()
  await expect
    .poll(() =>
      page
        .locator(card)
        .first()
        .evaluate((each) => each.getAnimations({ subtree: true }).length),
    )
    .toBe(0)
}

async function closeToasts(page: Page): Promise<void> {
  for (const close of (
    await page.locator(card).getByRole('button', { name: 'Close' }).all()
  ).toReversed())
    await close.click()
  await expect(page.locator(card)).toHaveCount(0)
}

/** What a toast covers of the bars with actions, the field that has the focus and its row. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate((toasts) => {
    const boxes = [...document.querySelectorAll(toasts)].map((each) => each.getBoundingClientRect())
    const focused = document.activeElement
    const field = focused?.matches('input, textarea, select') === true ? focused : null
    const kept = [
      ...document.querySelectorAll('main footer, main [data-floating], main [data-current]'),
      ...(field === null ? [] : [field]),
    ]
    return kept
      .filter((element) => {
        const box = element.getBoundingClientRect()
        return boxes.some(
          (toast) =>
            box.width > 0 &&
            box.left < toast.right &&
            toast.left < box.right &&
            box.top < toast.bottom &&
            toast.top < box.bottom,
        )
      })
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 40)}`)
  }, card)

/** Checks a page with a toast, and each of its fields with the focus. */
async function findCovered(page: Page, name: string): Promise<string[]> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await showToast(page)
  const found = await covered(page)
  const fields = page.locator('main').locator('input[type="text"], input:not([type]), textarea')
  for (const field of await fields.all()) {
    if (!(await field.isVisible()) || !(await field.isEnabled())) continue
    await field.focus()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    found.push(...(await covered(page)))
  }
  await closeToasts(page)
  return [...new Set(found)].map((each) => `${name}: ${each}`)
}

test('toasts never cover a footer, a floating bar, the active row or the field being edited @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(240_000)
  const shell = new Shell(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const found: string[] = []
  for (const { path, name } of pagesOf('seller')) {
    await page.goto(`${new URL(page.url()).origin}/#${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    found.push(...(await findCovered(page, name)))
  }
  await test.step('with the footer of an import', async () => {
    await shell.open('Import keys')
    await new ImportPage(page).drop('restock.csv', keyFile(23, 40, 2, 1).csv)
    await shell.openVault()
    await expect(page.getByRole('button', { name: /^Upload \d+ keys/ })).toBeVisible()
    found.push(...(await findCovered(page, 'Import keys, checked')))
  })
  await test.step('with a footer that appears after the toast', async () => {
    const draft = page.url()
    await shell.open('Offers')
    await showToast(page)
    await page.goto(draft)
    await expect(page.getByRole('button', { name: /^Upload \d+ keys/ })).toBeVisible()
    await expect.poll(() => covered(page), { timeout: 2000 }).toEqual([])
    await expect(page.locator(card).first()).toBeVisible()
    await closeToasts(page)
  })
  await shell.switchTo('Demo partner')
  for (const { path, name } of pagesOf('partner')) {
    await page.goto(`${new URL(page.url()).origin}/#${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    found.push(...(await findCovered(page, `partner, ${name}`)))
  }
  expect(found).toEqual([])
})
