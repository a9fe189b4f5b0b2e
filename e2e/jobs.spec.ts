import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { CataloguePage } from './pages/seller.ts'
import { FirstRun } from './pages/shell.ts'
import { test } from './support/desk.ts'
import { lineOf } from './support/line.ts'
import { Service } from './support/service.ts'

const products = 3000

test('work under way is paused, kept and taken up again from the status bar, also after a restart', async ({
  desk,
  page,
}) => {
  test.setTimeout(300_000)
  const service = new Service(desk.home, products)
  await service.start()
  const { key } = await service.issueKey('sellers')
  // Or the catalogue would be read before anybody could pause it.
  await service.dashboard('PUT', '/faults', [{ match: { path: '*' }, latencyMs: 400 }])
  const shell = new CataloguePage(page)
  const work = page.getByRole('list', { name: 'Work under way' })
  const inBar = shell.status.getByRole('button', { name: /^Catalogue/ })

  await test.step('the first reading of the catalogue stands in the status bar', async () => {
    await page.goto(await desk.start())
    // By then the page has exchanged its token for the key that a second line needs.
    await expect(page.getByRole('button', { name: 'Start the sandbox' })).toBeEnabled()
    const { rpc, close } = await lineOf(page)
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
    // Paused at once by a line of its own: on a quick machine it would have ended before a click.
    await expect
      .poll(
        async () => {
          const [job] = await rpc.app.jobs()
          if (job?.can.includes('pause') === true)
            await rpc.app.actOnJob({ jobId: job.id, action: 'pause' })
          return job?.state
        },
        { intervals: [20], timeout: 60_000 },
      )
      .toBe('paused')
    close()
    await service.dashboard('DELETE', '/faults')
    await expect(inBar).toHaveText(/^Catalogue \d[\d,]*(?: %)?, paused$/)
  })

  await test.step('paused, it stays so over a restart', async () => {
    await desk.end('SIGKILL')
    await page.goto(await desk.start())
    await shell.enterKey(key)
    await expect(inBar).toHaveText(/, paused$/)
  })

  await test.step('opened, it tells how far it is, and asks before it ends anything', async () => {
    await shell.act('Show the work under way')
    const row = work.getByRole('listitem', { name: 'Catalogue of Kestrel Keys' })
    await expect(row).toBeVisible()
    await row.getByRole('button', { name: 'Cancel Catalogue of Kestrel Keys…' }).click()
    await expect(
      row.getByText('What was read stays. The next regular look goes on from there.'),
    ).toBeVisible()
    await row.getByRole('button', { name: 'Keep it' }).click()
    await row.getByRole('button', { name: 'Go on with Catalogue of Kestrel Keys' }).click()
    await shell.open('Catalogue')
    await shell.isComplete(products)
    await expect(inBar).toHaveCount(0)
  })

  await test.step('what nothing matches is said without taking the letters away from who types', async () => {
    const search = page.getByRole('searchbox', { name: 'Search the catalogue' })
    const counted = await watchCounts(page)
    await search.pressSequentially('qqzzx')
    await expect(page.getByRole('heading', { name: 'No products match' })).toBeVisible()
    await expect(search).toBeFocused()
    // The filters are counted for the rows that are shown, never while somebody waits for rows.
    await expect.poll(async () => (await counted()).at(-1)).toBe('qqzzx')
    expect(await counted()).not.toContain('while rows are read')
    await search.fill('')
  })

  await test.step('the filters stay where they are as long as somebody points at them, though other counts arrive', async () => {
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

/** For which words the page asks what the filters would leave, from here on. */
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
      if (asked !== undefined) words.push(isBusy ? 'while rows are read' : asked)
      send.call(this, data)
    }
  })
  return () => page.evaluate(() => (window as unknown as { countedFor: string[] }).countedFor)
}
