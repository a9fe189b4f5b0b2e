import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { watchCalls } from '../support/calls.ts'
import { claimNew } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

test('keeps what is written while a template loads, and saves a view and a template once @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const id = await claimNew(service, key, 'It says this code has already been used.')
  await shop.connect(harness, page)
  const disputes = new DisputesPage(page)
  const dialog = page.getByRole('dialog')
  await disputes.goThere()
  await disputes.list.getByRole('button', { name: /Quarry of Glass/ }).click()
  await disputes.enterVault()

  await test.step('Edit again adds the answer that wasn’t sent to the one written since', async () => {
    await disputes.answer.fill('The first answer')
    await page.keyboard.press('Control+Enter')
    const send = page.getByRole('button', { name: 'Send now' })
    await expect(send).toBeVisible()
    const message = { author: 'customer', body: 'Are you there?' }
    await service.dashboard('POST', `/disputes/${id}/messages`, message)
    await send.click()
    const again = disputes.messages.getByRole('button', { name: 'Edit again' })
    await expect(again).toBeVisible({ timeout: 30_000 })
    await disputes.answer.fill('The second answer')
    await disputes.answer.blur()
    await again.click()
    await expect(disputes.answer).toHaveValue('The second answer\n\nThe first answer')
    await disputes.answer.fill('')
    await page.keyboard.press('Escape')
  })
  await test.step('a template that arrives late is added to the text', async () => {
    calls.hold('/disputes/fillTemplate')
    await page.keyboard.press('1')
    await expect.poll(calls.held).toBe(1)
    await disputes.answer.focus()
    await page.keyboard.type('Hello Ada,')
    calls.release()
    await expect(disputes.answer).toHaveValue(/^Hello Ada,\n\nSorry about that/)
    await page.keyboard.press('Escape')
  })
  await test.step('Enter, pressed twice, saves a view once', async () => {
    const filter = page.getByRole('button', { name: 'Filter', exact: true })
    await filter.click()
    await page.getByRole('menuitem', { name: 'Save this view…' }).click()
    await dialog.getByLabel('Name').fill('Mornings')
    calls.hold('/disputes/saveView')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(calls.held).toBeGreaterThan(0)
    calls.release()
    await expect(dialog).toBeHidden()
    await filter.click()
    await expect(page.getByRole('menuitem', { name: 'Mornings', exact: true })).toHaveCount(1)
    await page.keyboard.press('Escape')
  })
  await test.step('Save template, pressed twice, saves one template', async () => {
    await page.keyboard.press('t')
    await dialog.getByRole('button', { name: 'New template…' }).click()
    await dialog.getByLabel('Name').fill('Late reply')
    const save = dialog.getByRole('button', { name: 'Save template' })
    calls.hold('/disputes/saveTemplate')
    await save.dispatchEvent('click')
    await save.dispatchEvent('click')
    await expect.poll(calls.held).toBeGreaterThan(0)
    calls.release()
    await expect(dialog.getByRole('button', { name: 'New template…' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Late reply' })).toHaveCount(1)
    await page.keyboard.press('Escape')
  })
  await test.step('E, pressed twice, exports the activity once', async () => {
    await disputes.open('Activity')
    await expect(page.getByRole('button', { name: /^Export CSV/ })).toBeEnabled()
    calls.hold('/activity/export')
    await page.keyboard.press('e')
    await expect.poll(calls.held).toBe(1)
    await page.keyboard.press('e')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(calls.held()).toBe(1)
    calls.release()
  })
  await service.stop()
})
