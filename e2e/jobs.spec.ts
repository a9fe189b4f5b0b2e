import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { CataloguePage } from './pages/seller.ts'
import { FirstRun } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { connectionTo } from './support/core-connection.ts'
import { ExternalService } from './support/service.ts'

const products = 3000

test('pauses, keeps and resumes jobs from the status bar, even after a restart @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(300_000)
  const service = new ExternalService(harness.home, products)
  await service.start()
  const { key } = await service.issueKey('sellers')
  // Otherwise the catalogue would be synced before anyone could pause it.
  await service.dashboard('PUT', '/faults', [{ match: { path: '*' }, latencyMs: 400 }])
  const shell = new CataloguePage(page)
  const work = page.getByRole('list', { name: 'Jobs' })
  const inBar = shell.status.getByRole('button', { name: /^Catalogue/ })

  await test.step('the first catalogue sync appears in the status bar', async () => {
    await page.goto(await harness.start())
    // By then the page has exchanged its token for the session that a second connection needs.
    await expect(page.getByRole('button', { name: 'Start the sandbox' })).toBeEnabled()
    const { rpc, close } = await connectionTo(page)
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
    // Paused immediately through a separate connection. On a fast machine the sync would finish
    // before a click.
    await expect
      .poll(
        async () => {
          const [job] = await rpc.app.jobs()
          if (job?.can.includes('pause') === true)
            // A step of the sync may begin in between; then the next attempt pauses it.
            await rpc.app.actOnJob({ jobId: job.id, action: 'pause' }).catch(() => null)
          return job?.state
        },
        { intervals: [20], timeout: 60_000 },
      )
      .toBe('paused')
    close()
    await service.dashboard('DELETE', '/faults')
    await expect(inBar).toHaveText(/^Catalogue \d[\d,]*(?: %)?, paused$/)
  })

  await test.step('a paused job stays paused after a restart', async () => {
    await harness.end('SIGKILL')
    await page.goto(await harness.start())
    await shell.enterKey(key)
    await expect(inBar).toHaveText(/, paused$/)
  })

  await test.step('the job list shows the progress and asks before it cancels', async () => {
    await shell.act('Show jobs')
    const row = work.getByRole('listitem', { name: 'Catalogue of Kestrel Keys' })
    await expect(row).toBeVisible()
    await row.getByRole('button', { name: 'Cancel Catalogue of Kestrel Keys…' }).click()
    await expect(
      row.getByText('Data synced so far stays. The next regular sync pass continues from there.'),
    ).toBeVisible()
    await row.getByRole('button', { name: 'Keep job' }).click()
    await row.getByRole('button', { name: 'Resume Catalogue of Kestrel Keys' }).click()
    await shell.open('Catalogue')
    await shell.isComplete(products)
    await expect(inBar).toHaveCount(0)
  })

  await test.step('a search without matches says so and keeps the text and the focus', async () => {
    const search = page.getByRole('searchbox', { name: 'Search the catalogue' })
    const counted = await watchCounts(page)
    await search.pressSequentially('qqzzx')
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
    await expect(search).toBeFocused()
    // Filter counts are requested for visible rows, never while someone waits for rows.
    await expect.poll(async () => (await counted()).at(-1)).toBe('qqzzx')
    expect(await counted()).not.toContain('while rows are loading')
    await search.fill('')
  })

  await test.step('filters keep their order while the pointer is on them, although other counts arrive', async () => {
    const regions = page.getByRole('group', { name: 'Region' })
    const standing = async () =>
      (await regions.locator('label').allInnerTexts())
        .map((text) => text.split('\n'))
        .map(([region, count]) => ({ region, count: Number(count?.replace(',', '')) }))
    const isSorted = async () =>
      (await standing()).every(
        ({ count }, index, all) => index === 0 || count <= (all[index - 1]?.count ?? 0),
      )
    const search = page.getByRole('searchbox', { name: 'Search the catalogue' })
    await expect.poll(async () => (await standing())[0]?.count).toBeGreaterThan(100)
    const before = await standing()
    await regions.hover()
    await search.fill('gift')
    await expect.poll(standing).not.toEqual(before)
    expect((await standing()).map(({ region }) => region)).toEqual(
      before.map(({ region }) => region),
    )
    expect(await isSorted()).toBe(false)
    await page.mouse.move(0, 0)
    await expect.poll(isSorted).toBe(true)
  })
  await service.stop()
})

/** From here on, the searches for which the page requests filter counts. */
async function watchCounts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const words: string[] = []
    Object.assign(window, { countedFor: words })
    const send = WebSocket.prototype.send
    WebSocket.prototype.send = function (data) {
      const asked =
        typeof data === 'string' && data.includes('/catalogue/counts')
          ? /"query":"([^"]*)"/.exec(data)?.[1]
          : undefined
      const isBusy =
        document
          .querySelector('[role="grid"][aria-label="Products"]')
          ?.getAttribute('aria-busy') !== 'false'
      if (asked !== undefined) words.push(isBusy ? 'while rows are loading' : asked)
      send.call(this, data)
    }
  })
  return () => page.evaluate(() => (window as unknown as { countedFor: string[] }).countedFor)
}
