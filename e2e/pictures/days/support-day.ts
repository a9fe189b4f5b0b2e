import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { DisputesPage } from '../../pages/disputes.ts'
import { ImportPage } from '../../pages/seller.ts'
import { FirstRun } from '../../pages/shell.ts'
import { claimSome, createOffer } from '../../support/disputes.ts'
import type { Harness } from '../../support/harness.ts'
import { ExternalService } from '../../support/service.ts'
import type { Film } from './film.ts'
import { dismissFirstSteps, link, rowOf } from './stage.ts'

const complaint = 'It says this code has already been used. I tried it twice.'

const keys = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${10_000 + at}-WHARF`)

/**
 * Prepares a shop whose customers dispute one sale, two older ones, and four keys of one batch,
 * which is in alarm; the support view of Today is open. Returns its service.
 */
export async function prepareSupport(harness: Harness, page: Page): Promise<ExternalService> {
  const service = new ExternalService(harness.home, 200, ['--no-limits'])
  await service.start()
  const { key } = await service.issueKey('sellers')
  const single = await createOffer(service, key, 'Quarry of Glass')
  await service.seller(key, 'POST', `/offers/${single.offerId}/keys`, { keys: keys(3, 'QUARY') })
  await claimSome(service, single.productId, 1, () => ({ message: complaint }))
  const batch = await createOffer(service, key, 'Ironwharf 3')
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  const imports = new ImportPage(page)
  await page.evaluate((hash) => {
    window.location.hash = hash
  }, `#/import?offer=${batch.offerId}`)
  await expect(page.getByText(/^All lines go to/)).toBeVisible()
  await imports.drop('october.txt', keys(8, 'BATCH').join('\n'))
  await imports.openVault()
  await imports.isChecked(8)
  await imports.upload()
  await imports.isReported()
  await claimSome(service, batch.productId, 4, () => ({ message: complaint }))
  await imports.act('Sync now')
  await imports.open('Today')
  await dismissFirstSteps(page)
  await page.getByRole('button', { name: 'Support' }).click()
  await expect(rowOf(page, 'Reply')).toHaveCount(7)
  await expect(page.getByText('4 of 8 keys disputed')).toBeVisible()
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0)
  return service
}

const answers = (page: Page) => page.getByRole('region', { name: 'Replies that can be undone' })

/** A day of support: each dispute by its deadline, and a batch with an alarm, until none is left. */
export async function supportDay(film: Film): Promise<void> {
  await film.step('queue', {
    keyboard: async () => {},
    mouse: async () => {},
    settled: () => expect(rowOf(film.page, 'Reply').first()).toBeVisible(),
  })
  await reply(film)
  await refund(film)
  await snooze(film)
  await answerBatch(film)
  const dialog = film.page.getByRole('dialog')
  await film.step('done', {
    keyboard: async () => {
      await film.keys('Control+Enter')
      await expect(dialog).toBeHidden()
      await film.go('t', 'Today')
    },
    mouse: async () => {
      await film.click(dialog.getByRole('button', { name: /^Send 4/ }))
      await film.click(link(film.page, 'Today'))
    },
    settled: () => expect(film.page.getByText('No dispute needs a reply.')).toBeVisible(),
  })
}

async function reply(film: Film): Promise<void> {
  const { page } = film
  const inbox = new DisputesPage(page)
  const first = rowOf(page, 'Reply').first()
  await film.step('template', {
    keyboard: async () => {
      await film.moveTo(first)
      await film.keys('Enter')
      await expect(inbox.messages).toBeVisible()
      await film.keys('1')
    },
    mouse: async () => {
      await film.click(first)
      await film.click(page.getByRole('button', { name: /New key on its way/ }))
    },
    settled: () => expect(inbox.answer).toHaveValue(/^Sorry about that/),
  })
  await film.step('replied', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(page.getByRole('button', { name: /^Send answer/ })),
    settled: () => expect(answers(page).getByText(/^Sending 1 reply in \d+ s\./)).toBeVisible(),
  })
}

async function refund(film: Film): Promise<void> {
  const { page } = film
  const dialog = page.getByRole('dialog')
  const inbox = new DisputesPage(page)
  const second = inbox.list.getByRole('button', { name: /The Ferryman|Wrong region/ }).first()
  await film.step('refund', {
    keyboard: () => film.keys('j', 'f'),
    mouse: async () => {
      await film.click(second)
      await film.click(page.getByRole('button', { name: /^Refund…/ }))
    },
    settled: () => expect(dialog.getByRole('listitem').first()).toBeVisible(),
  })
  await film.step('refunded', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(dialog.getByRole('button', { name: /^Refund/ })),
    settled: () => expect(inbox.messages.getByText(/^Refunded/)).toBeVisible(),
  })
}

async function snooze(film: Film): Promise<void> {
  const { page } = film
  const dialog = page.getByRole('dialog')
  const inbox = new DisputesPage(page)
  await film.step('snooze', {
    keyboard: () => film.keys('j', 'z'),
    mouse: async () => {
      await film.click(inbox.list.getByRole('button', { name: /Quarry of Glass/ }))
      await film.click(page.getByRole('button', { name: 'Snooze Z' }))
    },
    settled: () => expect(dialog.getByRole('button', { name: /^For 3 hours/ })).toBeVisible(),
  })
  await film.step('alarm', {
    keyboard: async () => {
      await film.keys('2')
      await expect(dialog).toBeHidden()
      await film.keys('j')
    },
    mouse: async () => {
      await film.click(dialog.getByRole('button', { name: /^For 3 hours/ }))
      await film.click(inbox.list.getByRole('button', { name: /Ironwharf 3/ }).first())
    },
    settled: () =>
      expect(page.getByRole('alert').filter({ hasText: '4 of 8 keys disputed' })).toBeVisible(),
  })
}

async function answerBatch(film: Film): Promise<void> {
  const { page } = film
  const dialog = page.getByRole('dialog')
  const template = dialog.getByLabel('Template')
  const selected = page.getByRole('toolbar', { name: 'Selected disputes' })
  await film.step('together', {
    keyboard: async () => {
      await film.keys('b', 'r')
      await film.tabTo(template)
      await film.type('Refund')
    },
    mouse: async () => {
      await film.click(page.getByRole('button', { name: /^Select its disputes/ }))
      await film.click(selected.getByRole('button', { name: /^(Answer|Reply)/ }))
      await film.choose(template, 'Refund')
    },
    settled: () => expect(dialog.getByRole('textbox').first()).not.toHaveValue(''),
  })
  await film.step('review', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(dialog.getByRole('button', { name: /^Review/ })),
    settled: () => expect(dialog.getByText('Before you send')).toBeVisible(),
  })
}
