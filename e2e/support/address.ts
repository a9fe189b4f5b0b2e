import type { Page } from '@playwright/test'

/** A new address of the console that the page shows, for another tab. It works once. */
export const newAddress = (page: Page): Promise<string> =>
  page.evaluate(async () =>
    (
      await fetch('/token', {
        method: 'POST',
        headers: { Authorization: `Bearer ${sessionStorage.getItem('keydesk.session')}` },
      })
    ).text(),
  )
