import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { builtFolder } from '../scripts/lib/paths.mjs'
import { violations } from '../src/renderer/ui/testing/axe.ts'
import { cleanEnvironment, startProgram } from './support/processes.ts'

type Described = {
  tags: { 'x-displayName': string }[]
  paths: Record<string, Record<string, { summary: string }>>
}
type Ready = { baseUrl: string; demo: { partnerTestKey: string } }

/** The built backend alone, without the console. */
const test = base.extend<{ service: Ready }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants the object pattern.
  service: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), 'keydesk-docs-'))
    const started = await startProgram<Ready>(
      join(builtFolder, 'server/main.js'),
      ['--memory', '--port', '0'],
      cleanEnvironment(home),
    )
    await use(started.ready)
    await started.end()
    rmSync(home, { recursive: true, force: true })
  },
})

test(
  'shows every operation of the API reference without a network, in light and dark, and places an order',
  { tag: '@long' },
  async ({ page, service }) => {
    test.setTimeout(180_000)
    const { origin } = new URL(service.baseUrl)
    const foreign: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url()))
        foreign.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))

    await page.goto(`${origin}/docs`)
    await expect(
      page.getByRole('heading', { name: 'Partner Ordering API and Seller Import API' }),
    ).toBeVisible()
    const side = page.getByRole('complementary')
    const { tags, paths } = (await (
      await page.request.get(`${service.baseUrl}/openapi.json`)
    ).json()) as Described
    for (const tag of tags)
      await side
        .getByRole('button', { name: `Open Group - ${tag['x-displayName']}`, exact: true })
        .click()
    const summaries = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ summary }) => summary),
    )
    expect(summaries).toHaveLength(26)
    for (const summary of new Set(summaries))
      await expect(side.getByRole('link', { name: summary })).not.toHaveCount(0)

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('body')).toHaveClass(new RegExp(`${colorScheme}-mode`))
      const found = await violations(page, {
        runOnly: {
          type: 'rule',
          values:
            colorScheme === 'dark'
              ? ['color-contrast']
              : ['color-contrast', 'button-name', 'link-name', 'scrollable-region-focusable'],
        },
      })
      expect(
        found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme} ${id}: ${html}`)),
      ).toEqual([])
    }

    await side.getByRole('link', { name: 'Place an order' }).click()
    await page.getByRole('button', { name: 'Test Request (post /orders)' }).click()
    const dialog = page.getByRole('dialog', { name: 'API Client' })
    await dialog.getByRole('textbox', { name: 'Bearer Token' }).fill(service.demo.partnerTestKey)
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      dialog.getByRole('button', { name: /^Send post request/ }).click(),
    ])
    expect({
      url: answer.url(),
      status: answer.status(),
      order: await answer.json(),
    }).toMatchObject({
      url: `${service.baseUrl}/orders?wait=5`,
      status: 201,
      order: { externalId: 'shop-10042', status: 'completed', mode: 'test' },
    })
    await expect(dialog.getByText('201').first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Close Client' }).click()

    await side.getByRole('link', { name: "The seller's shop" }).click()
    await page.getByRole('button', { name: 'Test Request (get /seller/me)' }).click()
    await expect(dialog.getByText('A seller key')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close Client' }).click()

    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })
  },
)
