import type { Page } from '@playwright/test'

/** The lists that a person works in, as seller and as partner. */
const pages = [
  'offers',
  'offers',
  'price-watch',
  'disputes',
  'disputes',
  'catalogue',
  'sales',
  'outbox',
  'history',
  'today',
] as const

const moves = ['j', 'k', 'ArrowDown', 'ArrowUp', 'PageDown', 'Home', 'End']
const acts = [...'uxrpcihmeabdnstwlqvfoyg', 'Enter', 'Enter', 'Escape', 'Escape', 'Shift+X', ' ']
const typed = [...'0123456789', '.', '-', 'Backspace', 'Delete', 'Control+a', 'Tab', 'Shift+Tab']
const control = ['Control+z', 'Control+Shift+Z', 'Control+Enter', '/', '?', 'Control+k']
/** Actions with the mouse among a hundred. */
const mouseShare = 25

/** What ends the work of the page under test, or leaves it. */
const endings = [
  'quit|restart|stop the sandbox|stop all|remove|lock|reset|switch account',
  'connect an account|restore|choose files|settings',
].join('|')

/** The middle of a random visible control or row, unless pressing it would end the sequence. */
async function place(page: Page, dice: number): Promise<{ x: number; y: number } | null> {
  return page.evaluate(
    ([number, ends]) => {
      const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1)
      const found = [
        ...(dialog ?? document).querySelectorAll(
          'button, [role="row"][data-record], [role="checkbox"], [role="tab"], input, [data-key]',
        ),
      ].filter((element) => {
        const box = element.getBoundingClientRect()
        const name = `${element.textContent ?? ''} ${element.getAttribute('aria-label') ?? ''}`
        return (
          box.width > 0 &&
          box.top >= 0 &&
          box.bottom <= innerHeight &&
          box.left >= 0 &&
          box.right <= innerWidth &&
          element.closest('nav') === null &&
          !element.matches('[type="file"]') &&
          !new RegExp(ends, 'i').test(name)
        )
      })
      const box = found[number % Math.max(1, found.length)]?.getBoundingClientRect()
      return box === undefined
        ? null
        : { x: box.x + Math.min(box.width / 2, 200), y: box.y + box.height / 2 }
    },
    [dice, endings] as const,
  )
}

/**
 * Presses random keys and clicks random places, most of the time without waiting for the page, as a
 * fast person does.
 *
 * @param below a number from 0 to below its argument
 */
export async function play(
  page: Page,
  below: (limit: number) => number,
  actions: number,
): Promise<void> {
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  const path = one(pages)
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  await page.evaluate((hash) => {
    location.hash = hash
  }, `#/${path}`)
  for (let done = 0; done < actions; done++) {
    const dice = below(100)
    if (dice < mouseShare) {
      const at = await place(page, below(1_000_000))
      if (at !== null) await page.mouse.click(at.x, at.y)
    } else if (dice < 50) await page.keyboard.press(one(moves))
    else if (dice < 75) await page.keyboard.press(one(acts))
    else if (dice < 93) await page.keyboard.press(one(typed))
    else if (dice < 97) await page.keyboard.press(one(control))
    else await page.waitForTimeout(below(60))
  }
}
