import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import SqliteDatabase from 'better-sqlite3'
import { FirstRun, Shell } from './pages/shell.ts'
import { seriousViolations } from './support/axe.ts'
import { test } from './support/harness.ts'
import { ExternalService } from './support/service.ts'

test.use({ bare: true })

test('explains a damaged database, opens it read-only, and repairs it without losing the account @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(180_000)
  const service = new ExternalService(harness.home, 60)
  await service.start()
  const { key } = await service.issueKey('sellers')
  const shell = new Shell(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const main = join(harness.dataDir, 'keydesk.db')

  await test.step('set up an account, then damage the database', async () => {
    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
    await shell.open('Sales')
    await expect(page.getByRole('grid', { name: 'Sales' })).toHaveAttribute('aria-busy', 'false')
    await harness.end()
    const bytes = readFileSync(main)
    bytes.fill(0x5a, 4096)
    writeFileSync(main, bytes)
  })

  await test.step('the page names the damaged file and the ways to continue', async () => {
    await page.goto(await harness.start())
    await expect(page.getByRole('heading', { name: 'A data file is damaged' })).toBeVisible()
    const files = page.getByRole('region', { name: 'Your data' })
    await expect(files.getByText('Damaged', { exact: true })).toHaveCount(1)
    await expect(files.getByText('Intact')).toHaveCount(4)
    await expect(files.getByText(/Kestrel Keys/).first()).toBeVisible()
    await expect(page.getByRole('radio', { name: /Repair Recommended/ })).toBeChecked()
    expect(await seriousViolations(page)).toEqual([])
  })

  await test.step('a copy is open for reading, and refuses changes', async () => {
    await page.getByRole('radio', { name: /Open read-only/ }).check()
    await button('Open read-only').click()
    await shell.open('Sales')
    await expect(page.getByText('Keydesk is open read-only.')).toBeVisible()
    await expect(page.getByRole('grid', { name: 'Sales' })).toHaveAttribute('aria-busy', 'false')
    await button('Choose how to continue…').click()
    await expect(page.getByRole('heading', { name: 'A data file is damaged' })).toBeVisible()
  })

  await test.step('the repair opens the console and keeps the damaged file', async () => {
    await button('Repair and open').click()
    await shell.open('Sales')
    await expect(page.getByText('Keydesk is open read-only.')).toHaveCount(0)
    const kept = readdirSync(harness.dataDir).filter((name) => name.includes('.damaged-'))
    expect(kept.length).toBeGreaterThan(0)
  })

  await test.step('a missing database never starts as a new console', async () => {
    await harness.end()
    rmSync(main)
    await page.goto(await harness.start())
    await expect(page.getByRole('heading', { name: 'The database is missing' })).toBeVisible()
    await page.keyboard.press('Enter')
    await shell.open('Sales')
  })
})

test('goes back to the data from before an update when an older version finds newer data @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(180_000)
  const service = new ExternalService(harness.home, 60)
  await service.start()
  const { key } = await service.issueKey('sellers')
  const shell = new Shell(page)
  const change = (file: string, sql: string): void => {
    const database = new SqliteDatabase(join(harness.dataDir, file))
    database.exec(sql)
    database.close()
  }

  await test.step('an update copies the data first', async () => {
    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
    await harness.end()
    // An older sandbox, and no record of the version that opened the data.
    mkdirSync(join(harness.dataDir, 'sandbox'), { recursive: true })
    change('sandbox/keydesk.sqlite', 'CREATE TABLE old (x); PRAGMA user_version = 1')
    rmSync(join(harness.dataDir, 'opened-by.json'))
    await page.goto(await harness.start())
    await shell.open('Settings')
    await expect(page.getByText(/From before the update to \d+\.\d+\.\d+/)).toBeVisible()
    await harness.end()
  })

  await test.step('an older version offers that copy', async () => {
    change('keydesk.db', "UPDATE schema_version SET version = 999 WHERE feature = 'notices'")
    rmSync(join(harness.dataDir, 'opened-by.json'))
    await page.goto(await harness.start())
    await expect(
      page.getByRole('heading', { name: 'This data is from a newer Keydesk' }),
    ).toBeVisible()
    await expect(page.getByRole('radio', { name: /from before the update/ })).toBeChecked()
    expect(await seriousViolations(page)).toEqual([])
  })

  await test.step('restoring it opens the console', async () => {
    await page.getByRole('button', { name: 'Restore…' }).click()
    await page.getByRole('button', { name: 'Restore and restart' }).click()
    await shell.open('Sales')
    await expect(page.getByText('Kestrel Keys').first()).toBeVisible()
    expect(
      readdirSync(harness.dataDir).filter((name) => name.startsWith('replaced-')),
    ).toHaveLength(1)
  })
})
