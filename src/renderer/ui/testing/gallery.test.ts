import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { chromiumLaunch } from './chromium.ts'

const gallery = import.meta.resolve('./gallery.tsx')
let folder: string
let server: PreviewServer
let browser: Browser
let address: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-gallery-'))
  const root = fileURLToPath(new URL('../../', gallery))
  const shared = { configFile: false, root, logLevel: 'error' } as const
  await build({
    ...shared,
    plugins: [react()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: fileURLToPath(new URL('gallery.html', gallery)) },
    },
  })
  server = await preview({
    ...shared,
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  })
  address = `${server.resolvedUrls?.local[0] ?? ''}ui/testing/gallery.html`
  browser = await chromium.launch(chromiumLaunch)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Scrolls a table to a row and waits for its scroll event, which draws the rows: a row near the
 * visible ones is drawn before.
 */
const scrollTo = (grid: Locator, row: number): Promise<void> =>
  grid.evaluate(
    (element, top) =>
      new Promise<void>((resolve) => {
        element.addEventListener('scroll', () => resolve(), { once: true })
        element.scrollTop = top
      }),
    row * 36,
  )

/** Opens one board of the gallery and runs `check` on it. */
async function onBoard(
  board: 'controls' | 'messages' | 'long' | 'growing' | 'resorted' | 'frozen',
  scheme: 'light' | 'dark',
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  try {
    await page.goto(`${address}?board=${board}&scheme=${scheme}`)
    await page
      .getByText(
        {
          controls: 'Time left',
          messages: 'Still being delivered',
          long: 'line 3',
          growing: 'item 3',
          resorted: 'Sorted again',
          frozen: 'Refund this customer?',
        }[board],
        { exact: true },
      )
      .waitFor({ timeout: 60_000 })
    await check(page)
  } finally {
    await context.close()
  }
}

const heightOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.height ?? 0

describe('the components in the browser', () => {
  test.each([
    ['controls', 'light'],
    ['controls', 'dark'],
    ['messages', 'light'],
    ['messages', 'dark'],
  ] as const)(
    '%s in %s has no accessibility violations, contrast included @long',
    async (board, scheme) => {
      await onBoard(board, scheme, async (page) => {
        const found = await violations(page, {
          rules: { 'page-has-heading-one': { enabled: false } },
        })
        expect(
          found.map(
            (violation) =>
              `${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`,
          ),
        ).toEqual([])
      })
    },
    120_000,
  )

  test("matches the design's heights: button 28, dialog field 32, row 36, header 32, chip 24 @long", async () => {
    await onBoard('controls', 'light', async (page) => {
      expect(await heightOf(page, 'button:has-text("Save price")')).toBe(28)
      expect(await heightOf(page, 'input[aria-label="Rest"]')).toBe(32)
      expect(await heightOf(page, '[role="row"][aria-rowindex="3"]')).toBe(36)
      expect(await heightOf(page, '[role="row"][aria-rowindex="1"]')).toBe(32)
      expect(await heightOf(page, 'button:has-text("Filter")')).toBe(24)
    })
  }, 120_000)

  test('shows a focus ring on everything Tab reaches @long', async () => {
    await onBoard('controls', 'dark', async (page) => {
      for (let press = 0; press < 24; press += 1) {
        await page.keyboard.press('Tab')
        const seen = await page.evaluate(() => {
          const element = document.activeElement
          if (element === null || element === document.body) return 'end'
          const row = element.querySelector('[data-current]')
          if (row !== null && getComputedStyle(row, '::after').boxShadow.includes('inset'))
            return 'marked'
          const marked = [element, element.nextElementSibling, element.parentElement].some(
            (each) => {
              const style = each === null ? null : getComputedStyle(each)
              return (
                style !== null &&
                ((style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2) ||
                  style.boxShadow.includes('inset') ||
                  Number.parseFloat(style.borderTopWidth) >= 2)
              )
            },
          )
          return marked ? 'marked' : element.outerHTML.slice(0, 120)
        })
        if (seen === 'end') break
        expect(seen).toBe('marked')
      }
    })
  }, 120_000)

  test('works by keyboard: j moves, X selects, Shift+X selects a range, Esc clears @long', async () => {
    await onBoard('controls', 'light', async (page) => {
      const checked = async (): Promise<string[]> =>
        await page.locator('[role="row"][aria-selected="true"] b').allTextContents()
      await page.locator('[role="grid"]').focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('x')
      expect(await checked()).toEqual(['At rest', 'Checked'])
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('Shift+X')
      expect(await checked()).toEqual(['At rest', 'Pointed at', 'Checked', 'Open in the panel'])
      await page.keyboard.press('Escape')
      expect(await checked()).toEqual([])
      await page.getByRole('checkbox', { name: 'Select row 2' }).click()
      expect(await checked()).toEqual(['Pointed at'])
    })
  }, 120_000)

  test('shows nothing of the previous row in a reused element, neither its content nor its focus @long', async () => {
    await onBoard('long', 'light', async (page) => {
      const grid = page.locator('[role="grid"]')
      await page.getByRole('button', { name: 'Show line 3', exact: true }).click()
      expect(await page.getByText('secret of line 3').count()).toBe(1)
      await page.getByRole('button', { name: 'Show line 4', exact: true }).focus()
      const drawn = await page.locator('[data-index]').count()
      for (const row of [60, 61, 62, 120]) {
        await scrollTo(grid, row)
        await page.getByText(`line ${row + 4}`, { exact: true }).waitFor()
        expect(await page.getByText('secret of').count()).toBe(0)
      }
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
      expect(await page.locator('[data-index]').count()).toBeLessThan(drawn + 12)
      await page.keyboard.press('Home')
      await page.getByRole('button', { name: 'Show line 3', exact: true }).waitFor()
    })
  }, 120_000)

  test('shows the open record of a list that is still growing when its place is known @long', async () => {
    await onBoard('growing', 'light', async (page) => {
      await page.getByRole('button', { name: 'Grow' }).click()
      const grid = page.getByRole('grid', { name: 'Growing list' })
      const row = grid.getByRole('row', { name: 'item 1990' })
      await row.waitFor()
      expect(await row.getAttribute('aria-rowindex')).toBe('1992')
      expect(await grid.getAttribute('aria-activedescendant')).toBe(await row.getAttribute('id'))
    })
  })

  test.each([
    { at: 'a button', of: 'button', name: 'Send', does: 'sent first' },
    { at: 'the name', of: 'gridcell', name: 'first', does: 'opened first' },
    { at: 'the checkbox', of: 'checkbox', name: 'Select row 1', does: 'selected first' },
  ] as const)(
    'acts on the pressed row when the list is sorted again before the release: $at @long',
    async ({ of, name, does }) => {
      await onBoard('resorted', 'light', async (page) => {
        const names = page.getByRole('grid').locator('b')
        const reverse = (): Promise<void> =>
          page.evaluate(() => void window.dispatchEvent(new CustomEvent('reality')))
        await page.getByRole(of, { name }).first().hover()
        await page.mouse.down()
        await reverse()
        await page.mouse.up()
        await page.getByText(does, { exact: true }).waitFor()
        // After the release, the table shows the new order.
        await names.first().getByText('fourth').waitFor()
        expect(await names.allTextContents()).toEqual(['fourth', 'third', 'second', 'first'])
      })
    },
    120_000,
  )

  test("keeps the rows' document order during a scroll, and restores order and focus after it @long", async () => {
    await onBoard('long', 'light', async (page) => {
      await page.clock.install({ time: 0 })
      await page.clock.pauseAt(60_000)
      const show = async (row: number): Promise<void> => {
        await scrollTo(page.locator('[role="grid"]'), row)
        await page.getByText(`line ${row + 4}`, { exact: true }).waitFor()
      }
      const places = (): Promise<number[]> =>
        page
          .locator('[data-index]')
          .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-place') ?? -1)))
      const order = (): Promise<number[]> =>
        page
          .locator('[data-index]')
          .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-index'))))
      await show(60)
      await page.locator('[data-index]').evaluateAll((rows) => {
        for (const [place, row] of rows.entries()) row.setAttribute('data-place', String(place))
      })
      const before = await places()
      await show(67)
      expect(await places()).toEqual(before)
      expect(await order()).not.toEqual((await order()).toSorted((a, b) => a - b))
      await page.getByRole('button', { name: 'Show line 75', exact: true }).focus()
      await page.clock.runFor(1000)
      expect(await order()).toEqual((await order()).toSorted((a, b) => a - b))
      await show(61)
      await page.clock.runFor(1000)
      expect(await order()).toEqual((await order()).toSorted((a, b) => a - b))
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show line 75')
    })
  }, 120_000)

  test('keeps a confirmation as it was read, shows what changed, and asks for a new press @long', async () => {
    await onBoard('frozen', 'light', async (page) => {
      const confirm = page.getByRole('button', { name: /^Refund EUR/ })
      const field = page.getByRole('textbox')
      const sent = page.locator('[data-sent]')
      const become = (refund: number, stock: number): Promise<void> =>
        page.evaluate(
          (detail) => void window.dispatchEvent(new CustomEvent('reality', { detail })),
          {
            refund,
            stock,
          },
        )
      await field.fill('34.54')
      await become(3000, 12)
      await page.getByText('Changed while this was open').waitFor()
      expect(await page.getByRole('status').textContent()).toContain('34.54 → Refund 30.00 (−13 %)')
      expect(await page.getByRole('status').textContent()).toContain('(−40 %)')
      expect(await page.getByRole('listitem').allTextContents()).toContain('Stock20 → 19')
      expect(await confirm.textContent()).toContain('Refund EUR 34.54')
      expect(await confirm.isDisabled()).toBe(true)
      await page.keyboard.press('Control+Enter')
      expect(await sent.textContent()).toBe('')

      await page.getByRole('button', { name: 'Use these' }).click()
      expect(await confirm.textContent()).toContain('Refund EUR 30.00')
      expect(await field.inputValue()).toBe('')
      expect(await confirm.isDisabled()).toBe(true)
      await page.keyboard.press('Control+Enter')
      expect(await sent.textContent()).toBe('')
      await field.fill('30.00')
      await page.getByRole('button', { name: 'More: Units' }).click()
      expect(await page.getByText('Changed while this was open').count()).toBe(0)
      await page.keyboard.press('Control+Enter')
      await page.getByText('2:3000', { exact: true }).waitFor()
    })
  }, 120_000)
})
